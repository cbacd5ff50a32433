target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.node = type { i32, ptr }

@top = global ptr null, align 8, !dbg !0
@.str = private unnamed_addr constant [25 x i8] c"value == 1 || value == 2\00", align 1, !dbg !20
@.str.1 = private unnamed_addr constant [8 x i8] c"stack.c\00", align 1, !dbg !26
@__PRETTY_FUNCTION__.worker = private unnamed_addr constant [21 x i8] c"void *worker(void *)\00", align 1, !dbg !31

define i32 @main() !dbg !50 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !54, !DIExpression(), !58)
    #dbg_declare(ptr %2, !59, !DIExpression(), !60)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef inttoptr (i64 1 to ptr)), !dbg !61
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @worker, ptr noundef inttoptr (i64 2 to ptr)), !dbg !62
  %5 = load i64, ptr %1, align 8, !dbg !63
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !64
  %7 = load i64, ptr %2, align 8, !dbg !65
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !66
  ret i32 0, !dbg !67
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !68 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !71, !DIExpression(), !72)
  %4 = load ptr, ptr %2, align 8, !dbg !73
  %5 = ptrtoint ptr %4 to i64, !dbg !74
  %6 = trunc i64 %5 to i32, !dbg !75
  call void @push(i32 noundef %6), !dbg !76
    #dbg_declare(ptr %3, !77, !DIExpression(), !78)
  %7 = call i32 @pop(), !dbg !79
  store i32 %7, ptr %3, align 4, !dbg !78
  %8 = load i32, ptr %3, align 4, !dbg !80
  %9 = icmp eq i32 %8, 1, !dbg !83
  br i1 %9, label %13, label %10, !dbg !84

10:                                               ; preds = %1
  %11 = load i32, ptr %3, align 4, !dbg !85
  %12 = icmp eq i32 %11, 2, !dbg !86
  br i1 %12, label %13, label %14, !dbg !84

13:                                               ; preds = %10, %1
  br label %15, !dbg !84

14:                                               ; preds = %10
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 33, ptr noundef @__PRETTY_FUNCTION__.worker), !dbg !87
  unreachable, !dbg !87

15:                                               ; preds = %13
  ret ptr null, !dbg !88
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

define internal void @push(i32 noundef %0) !dbg !89 {
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i8, align 1
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !92, !DIExpression(), !93)
    #dbg_declare(ptr %3, !94, !DIExpression(), !95)
  %8 = call noalias ptr @malloc(i64 noundef 16), !dbg !96
  store ptr %8, ptr %3, align 8, !dbg !95
  %9 = load i32, ptr %2, align 4, !dbg !97
  %10 = load ptr, ptr %3, align 8, !dbg !98
  %11 = getelementptr inbounds nuw %struct.node, ptr %10, i32 0, i32 0, !dbg !99
  store i32 %9, ptr %11, align 8, !dbg !100
    #dbg_declare(ptr %4, !101, !DIExpression(), !102)
  %12 = load atomic i64, ptr @top monotonic, align 8, !dbg !103
  store i64 %12, ptr %5, align 8, !dbg !103
  %13 = load ptr, ptr %5, align 8, !dbg !103
  store ptr %13, ptr %4, align 8, !dbg !102
  br label %14, !dbg !104

14:                                               ; preds = %26, %1
  %15 = load ptr, ptr %4, align 8, !dbg !105
  %16 = load ptr, ptr %3, align 8, !dbg !106
  %17 = getelementptr inbounds nuw %struct.node, ptr %16, i32 0, i32 1, !dbg !107
  store ptr %15, ptr %17, align 8, !dbg !108
  br label %18, !dbg !106

18:                                               ; preds = %14
  %19 = load ptr, ptr %3, align 8, !dbg !109
  store ptr %19, ptr %6, align 8, !dbg !110
  %20 = load i64, ptr %4, align 8, !dbg !110
  %21 = load i64, ptr %6, align 8, !dbg !110
  %22 = cmpxchg weak ptr @top, i64 %20, i64 %21 release monotonic, align 8, !dbg !110
  %23 = extractvalue { i64, i1 } %22, 0, !dbg !110
  %24 = extractvalue { i64, i1 } %22, 1, !dbg !110
  br i1 %24, label %26, label %25, !dbg !110

25:                                               ; preds = %18
  store i64 %23, ptr %4, align 8, !dbg !110
  br label %26, !dbg !110

26:                                               ; preds = %25, %18
  %27 = zext i1 %24 to i8, !dbg !110
  store i8 %27, ptr %7, align 1, !dbg !110
  %28 = load i8, ptr %7, align 1, !dbg !110
  %29 = trunc i8 %28 to i1, !dbg !110
  %30 = xor i1 %29, true, !dbg !111
  br i1 %30, label %14, label %31, !dbg !106, !llvm.loop !112

31:                                               ; preds = %26
  ret void, !dbg !115
}

define internal i32 @pop() !dbg !116 {
  %1 = alloca i32, align 4
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i8, align 1
    #dbg_declare(ptr %2, !117, !DIExpression(), !118)
  %6 = load atomic i64, ptr @top acquire, align 8, !dbg !119
  store i64 %6, ptr %3, align 8, !dbg !119
  %7 = load ptr, ptr %3, align 8, !dbg !119
  store ptr %7, ptr %2, align 8, !dbg !118
  br label %8, !dbg !120

8:                                                ; preds = %29, %0
  %9 = load ptr, ptr %2, align 8, !dbg !121
  %10 = icmp ne ptr %9, null, !dbg !120
  br i1 %10, label %11, label %30, !dbg !120

11:                                               ; preds = %8
  %12 = load ptr, ptr %2, align 8, !dbg !122
  %13 = getelementptr inbounds nuw %struct.node, ptr %12, i32 0, i32 1, !dbg !124
  %14 = load ptr, ptr %13, align 8, !dbg !124
  store ptr %14, ptr %4, align 8, !dbg !125
  %15 = load i64, ptr %2, align 8, !dbg !125
  %16 = load i64, ptr %4, align 8, !dbg !125
  %17 = cmpxchg ptr @top, i64 %15, i64 %16 acquire acquire, align 8, !dbg !125
  %18 = extractvalue { i64, i1 } %17, 0, !dbg !125
  %19 = extractvalue { i64, i1 } %17, 1, !dbg !125
  br i1 %19, label %21, label %20, !dbg !125

20:                                               ; preds = %11
  store i64 %18, ptr %2, align 8, !dbg !125
  br label %21, !dbg !125

21:                                               ; preds = %20, %11
  %22 = zext i1 %19 to i8, !dbg !125
  store i8 %22, ptr %5, align 1, !dbg !125
  %23 = load i8, ptr %5, align 1, !dbg !125
  %24 = trunc i8 %23 to i1, !dbg !125
  br i1 %24, label %25, label %29, !dbg !125

25:                                               ; preds = %21
  %26 = load ptr, ptr %2, align 8, !dbg !126
  %27 = getelementptr inbounds nuw %struct.node, ptr %26, i32 0, i32 0, !dbg !127
  %28 = load i32, ptr %27, align 8, !dbg !127
  store i32 %28, ptr %1, align 4, !dbg !128
  br label %31, !dbg !128

29:                                               ; preds = %21
  br label %8, !dbg !120, !llvm.loop !129

30:                                               ; preds = %8
  store i32 -1, ptr %1, align 4, !dbg !131
  br label %31, !dbg !131

31:                                               ; preds = %30, %25
  %32 = load i32, ptr %1, align 4, !dbg !132
  ret i32 %32, !dbg !132
}

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

declare noalias ptr @malloc(i64 noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!43, !44, !45, !46, !47, !48}
!llvm.ident = !{!49}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "top", scope: !2, file: !3, line: 11, type: !37, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !19, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "stack.c", directory: ".")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !6, line: 68, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "/usr/lib/include/stdatomic.h", directory: "")
!7 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!8 = !{!9, !10, !11, !12, !13, !14}
!9 = !DIEnumerator(name: "memory_order_relaxed", value: 0)
!10 = !DIEnumerator(name: "memory_order_consume", value: 1)
!11 = !DIEnumerator(name: "memory_order_acquire", value: 2)
!12 = !DIEnumerator(name: "memory_order_release", value: 3)
!13 = !DIEnumerator(name: "memory_order_acq_rel", value: 4)
!14 = !DIEnumerator(name: "memory_order_seq_cst", value: 5)
!15 = !{!16, !17, !18}
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!17 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!18 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!19 = !{!0, !20, !26, !31}
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(scope: null, file: !3, line: 33, type: !22, isLocal: true, isDefinition: true)
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !23, size: 200, elements: !24)
!23 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!24 = !{!25}
!25 = !DISubrange(count: 25)
!26 = !DIGlobalVariableExpression(var: !27, expr: !DIExpression())
!27 = distinct !DIGlobalVariable(scope: null, file: !3, line: 33, type: !28, isLocal: true, isDefinition: true)
!28 = !DICompositeType(tag: DW_TAG_array_type, baseType: !23, size: 64, elements: !29)
!29 = !{!30}
!30 = !DISubrange(count: 8)
!31 = !DIGlobalVariableExpression(var: !32, expr: !DIExpression())
!32 = distinct !DIGlobalVariable(scope: null, file: !3, line: 33, type: !33, isLocal: true, isDefinition: true)
!33 = !DICompositeType(tag: DW_TAG_array_type, baseType: !34, size: 168, elements: !35)
!34 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !23)
!35 = !{!36}
!36 = !DISubrange(count: 21)
!37 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !38)
!38 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !39, size: 64)
!39 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 6, size: 128, elements: !40)
!40 = !{!41, !42}
!41 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !39, file: !3, line: 7, baseType: !17, size: 32)
!42 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !39, file: !3, line: 8, baseType: !38, size: 64, offset: 64)
!43 = !{i32 7, !"Dwarf Version", i32 4}
!44 = !{i32 2, !"Debug Info Version", i32 3}
!45 = !{i32 1, !"wchar_size", i32 4}
!46 = !{i32 8, !"PIC Level", i32 2}
!47 = !{i32 7, !"uwtable", i32 2}
!48 = !{i32 7, !"frame-pointer", i32 2}
!49 = !{!"clang version 22.1.8"}
!50 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 37, type: !51, scopeLine: 37, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !53)
!51 = !DISubroutineType(types: !52)
!52 = !{!17}
!53 = !{}
!54 = !DILocalVariable(name: "one", scope: !50, file: !3, line: 38, type: !55)
!55 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !56, line: 27, baseType: !57)
!56 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!57 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!58 = !DILocation(line: 38, column: 15, scope: !50)
!59 = !DILocalVariable(name: "two", scope: !50, file: !3, line: 38, type: !55)
!60 = !DILocation(line: 38, column: 20, scope: !50)
!61 = !DILocation(line: 39, column: 5, scope: !50)
!62 = !DILocation(line: 40, column: 5, scope: !50)
!63 = !DILocation(line: 41, column: 18, scope: !50)
!64 = !DILocation(line: 41, column: 5, scope: !50)
!65 = !DILocation(line: 42, column: 18, scope: !50)
!66 = !DILocation(line: 42, column: 5, scope: !50)
!67 = !DILocation(line: 43, column: 1, scope: !50)
!68 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 30, type: !69, scopeLine: 30, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !53)
!69 = !DISubroutineType(types: !70)
!70 = !{!16, !16}
!71 = !DILocalVariable(name: "argument", arg: 1, scope: !68, file: !3, line: 30, type: !16)
!72 = !DILocation(line: 30, column: 27, scope: !68)
!73 = !DILocation(line: 31, column: 21, scope: !68)
!74 = !DILocation(line: 31, column: 15, scope: !68)
!75 = !DILocation(line: 31, column: 10, scope: !68)
!76 = !DILocation(line: 31, column: 5, scope: !68)
!77 = !DILocalVariable(name: "value", scope: !68, file: !3, line: 32, type: !17)
!78 = !DILocation(line: 32, column: 9, scope: !68)
!79 = !DILocation(line: 32, column: 17, scope: !68)
!80 = !DILocation(line: 33, column: 12, scope: !81)
!81 = distinct !DILexicalBlock(scope: !82, file: !3, line: 33, column: 12)
!82 = distinct !DILexicalBlock(scope: !68, file: !3, line: 33, column: 5)
!83 = !DILocation(line: 33, column: 18, scope: !81)
!84 = !DILocation(line: 33, column: 23, scope: !81)
!85 = !DILocation(line: 33, column: 26, scope: !81)
!86 = !DILocation(line: 33, column: 32, scope: !81)
!87 = !DILocation(line: 33, column: 5, scope: !81)
!88 = !DILocation(line: 34, column: 5, scope: !68)
!89 = distinct !DISubprogram(name: "push", scope: !3, file: !3, line: 13, type: !90, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !53)
!90 = !DISubroutineType(types: !91)
!91 = !{null, !17}
!92 = !DILocalVariable(name: "value", arg: 1, scope: !89, file: !3, line: 13, type: !17)
!93 = !DILocation(line: 13, column: 22, scope: !89)
!94 = !DILocalVariable(name: "node", scope: !89, file: !3, line: 14, type: !38)
!95 = !DILocation(line: 14, column: 18, scope: !89)
!96 = !DILocation(line: 14, column: 25, scope: !89)
!97 = !DILocation(line: 15, column: 19, scope: !89)
!98 = !DILocation(line: 15, column: 5, scope: !89)
!99 = !DILocation(line: 15, column: 11, scope: !89)
!100 = !DILocation(line: 15, column: 17, scope: !89)
!101 = !DILocalVariable(name: "old", scope: !89, file: !3, line: 16, type: !38)
!102 = !DILocation(line: 16, column: 18, scope: !89)
!103 = !DILocation(line: 16, column: 24, scope: !89)
!104 = !DILocation(line: 17, column: 5, scope: !89)
!105 = !DILocation(line: 18, column: 22, scope: !89)
!106 = !DILocation(line: 18, column: 9, scope: !89)
!107 = !DILocation(line: 18, column: 15, scope: !89)
!108 = !DILocation(line: 18, column: 20, scope: !89)
!109 = !DILocation(line: 19, column: 63, scope: !89)
!110 = !DILocation(line: 19, column: 13, scope: !89)
!111 = !DILocation(line: 19, column: 12, scope: !89)
!112 = distinct !{!112, !104, !113, !114}
!113 = !DILocation(line: 19, column: 112, scope: !89)
!114 = !{!"llvm.loop.mustprogress"}
!115 = !DILocation(line: 20, column: 1, scope: !89)
!116 = distinct !DISubprogram(name: "pop", scope: !3, file: !3, line: 22, type: !51, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !53)
!117 = !DILocalVariable(name: "old", scope: !116, file: !3, line: 23, type: !38)
!118 = !DILocation(line: 23, column: 18, scope: !116)
!119 = !DILocation(line: 23, column: 24, scope: !116)
!120 = !DILocation(line: 24, column: 5, scope: !116)
!121 = !DILocation(line: 24, column: 12, scope: !116)
!122 = !DILocation(line: 25, column: 65, scope: !123)
!123 = distinct !DILexicalBlock(scope: !116, file: !3, line: 25, column: 13)
!124 = !DILocation(line: 25, column: 70, scope: !123)
!125 = !DILocation(line: 25, column: 13, scope: !123)
!126 = !DILocation(line: 26, column: 20, scope: !123)
!127 = !DILocation(line: 26, column: 25, scope: !123)
!128 = !DILocation(line: 26, column: 13, scope: !123)
!129 = distinct !{!129, !120, !130, !114}
!130 = !DILocation(line: 26, column: 25, scope: !116)
!131 = !DILocation(line: 27, column: 5, scope: !116)
!132 = !DILocation(line: 28, column: 1, scope: !116)
