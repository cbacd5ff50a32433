target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.node = type { ptr, i32 }

@nodes = global [3 x %struct.node] zeroinitializer, align 16, !dbg !0
@head = global ptr null, align 8, !dbg !16
@.str = private unnamed_addr constant [21 x i8] c"sum == 0 || sum == 5\00", align 1, !dbg !27
@.str.1 = private unnamed_addr constant [7 x i8] c"list.c\00", align 1, !dbg !33
@__PRETTY_FUNCTION__.reader = private unnamed_addr constant [21 x i8] c"void *reader(void *)\00", align 1, !dbg !38

define i32 @main() !dbg !52 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !56, !DIExpression(), !60)
    #dbg_declare(ptr %2, !61, !DIExpression(), !62)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @writer, ptr noundef null), !dbg !63
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @reader, ptr noundef null), !dbg !64
  %5 = load i64, ptr %1, align 8, !dbg !65
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !66
  %7 = load i64, ptr %2, align 8, !dbg !67
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !68
  ret i32 0, !dbg !69
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @writer(ptr noundef %0) !dbg !70 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !74, !DIExpression(), !75)
    #dbg_declare(ptr %3, !76, !DIExpression(), !78)
  store i32 0, ptr %3, align 4, !dbg !78
  br label %6, !dbg !79

6:                                                ; preds = %24, %1
  %7 = load i32, ptr %3, align 4, !dbg !80
  %8 = icmp slt i32 %7, 3, !dbg !82
  br i1 %8, label %9, label %27, !dbg !83

9:                                                ; preds = %6
  %10 = load i32, ptr %3, align 4, !dbg !84
  %11 = icmp slt i32 %10, 2, !dbg !85
  br i1 %11, label %12, label %17, !dbg !84

12:                                               ; preds = %9
  %13 = load i32, ptr %3, align 4, !dbg !86
  %14 = add nsw i32 %13, 1, !dbg !87
  %15 = sext i32 %14 to i64, !dbg !88
  %16 = getelementptr inbounds [3 x %struct.node], ptr @nodes, i64 0, i64 %15, !dbg !88
  br label %18, !dbg !84

17:                                               ; preds = %9
  br label %18, !dbg !84

18:                                               ; preds = %17, %12
  %19 = phi ptr [ %16, %12 ], [ null, %17 ], !dbg !84
  %20 = load i32, ptr %3, align 4, !dbg !89
  %21 = sext i32 %20 to i64, !dbg !90
  %22 = getelementptr inbounds [3 x %struct.node], ptr @nodes, i64 0, i64 %21, !dbg !90
  %23 = getelementptr inbounds nuw %struct.node, ptr %22, i32 0, i32 0, !dbg !91
  store ptr %19, ptr %23, align 16, !dbg !92
  br label %24, !dbg !90

24:                                               ; preds = %18
  %25 = load i32, ptr %3, align 4, !dbg !93
  %26 = add nsw i32 %25, 1, !dbg !93
  store i32 %26, ptr %3, align 4, !dbg !93
  br label %6, !dbg !94, !llvm.loop !95

27:                                               ; preds = %6
  store i32 5, ptr %4, align 4, !dbg !98
  %28 = load i32, ptr %4, align 4, !dbg !98
  store atomic i32 %28, ptr getelementptr inbounds nuw (%struct.node, ptr getelementptr inbounds ([3 x %struct.node], ptr @nodes, i64 0, i64 1), i32 0, i32 1) monotonic, align 8, !dbg !98
  store ptr @nodes, ptr %5, align 8, !dbg !99
  %29 = load i64, ptr %5, align 8, !dbg !99
  store atomic i64 %29, ptr @head release, align 8, !dbg !99
  %30 = load ptr, ptr %2, align 8, !dbg !100
  ret ptr %30, !dbg !101
}

define internal ptr @reader(ptr noundef %0) !dbg !102 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !103, !DIExpression(), !104)
    #dbg_declare(ptr %3, !105, !DIExpression(), !106)
  store i32 0, ptr %3, align 4, !dbg !106
    #dbg_declare(ptr %4, !107, !DIExpression(), !109)
  %7 = load atomic i64, ptr @head acquire, align 8, !dbg !110
  store i64 %7, ptr %5, align 8, !dbg !110
  %8 = load ptr, ptr %5, align 8, !dbg !110
  store ptr %8, ptr %4, align 8, !dbg !109
  br label %9, !dbg !111

9:                                                ; preds = %19, %1
  %10 = load ptr, ptr %4, align 8, !dbg !112
  %11 = icmp ne ptr %10, null, !dbg !114
  br i1 %11, label %12, label %23, !dbg !114

12:                                               ; preds = %9
  %13 = load ptr, ptr %4, align 8, !dbg !115
  %14 = getelementptr inbounds nuw %struct.node, ptr %13, i32 0, i32 1, !dbg !116
  %15 = load atomic i32, ptr %14 monotonic, align 8, !dbg !117
  store i32 %15, ptr %6, align 4, !dbg !117
  %16 = load i32, ptr %6, align 4, !dbg !117
  %17 = load i32, ptr %3, align 4, !dbg !118
  %18 = add nsw i32 %17, %16, !dbg !118
  store i32 %18, ptr %3, align 4, !dbg !118
  br label %19, !dbg !119

19:                                               ; preds = %12
  %20 = load ptr, ptr %4, align 8, !dbg !120
  %21 = getelementptr inbounds nuw %struct.node, ptr %20, i32 0, i32 0, !dbg !121
  %22 = load ptr, ptr %21, align 8, !dbg !121
  store ptr %22, ptr %4, align 8, !dbg !122
  br label %9, !dbg !123, !llvm.loop !124

23:                                               ; preds = %9
  %24 = load i32, ptr %3, align 4, !dbg !126
  %25 = icmp eq i32 %24, 0, !dbg !129
  br i1 %25, label %29, label %26, !dbg !130

26:                                               ; preds = %23
  %27 = load i32, ptr %3, align 4, !dbg !131
  %28 = icmp eq i32 %27, 5, !dbg !132
  br i1 %28, label %29, label %30, !dbg !130

29:                                               ; preds = %26, %23
  br label %31, !dbg !130

30:                                               ; preds = %26
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 24, ptr noundef @__PRETTY_FUNCTION__.reader), !dbg !133
  unreachable, !dbg !133

31:                                               ; preds = %29
  %32 = load ptr, ptr %2, align 8, !dbg !134
  ret ptr %32, !dbg !135
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!45, !46, !47, !48, !49, !50}
!llvm.ident = !{!51}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "nodes", scope: !2, file: !3, line: 9, type: !42, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "list.c", directory: ".")
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
!15 = !{!0, !16, !27, !33, !38}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "head", scope: !2, file: !3, line: 10, type: !18, isLocal: false, isDefinition: true)
!18 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !19)
!19 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20, size: 64)
!20 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 6, size: 128, elements: !21)
!21 = !{!22, !23}
!22 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !20, file: !3, line: 7, baseType: !19, size: 64)
!23 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !20, file: !3, line: 8, baseType: !24, size: 32, offset: 64)
!24 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !25)
!25 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !26)
!26 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 24, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 168, elements: !31)
!30 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!31 = !{!32}
!32 = !DISubrange(count: 21)
!33 = !DIGlobalVariableExpression(var: !34, expr: !DIExpression())
!34 = distinct !DIGlobalVariable(scope: null, file: !3, line: 24, type: !35, isLocal: true, isDefinition: true)
!35 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 56, elements: !36)
!36 = !{!37}
!37 = !DISubrange(count: 7)
!38 = !DIGlobalVariableExpression(var: !39, expr: !DIExpression())
!39 = distinct !DIGlobalVariable(scope: null, file: !3, line: 24, type: !40, isLocal: true, isDefinition: true)
!40 = !DICompositeType(tag: DW_TAG_array_type, baseType: !41, size: 168, elements: !31)
!41 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !30)
!42 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, size: 384, elements: !43)
!43 = !{!44}
!44 = !DISubrange(count: 3)
!45 = !{i32 7, !"Dwarf Version", i32 4}
!46 = !{i32 2, !"Debug Info Version", i32 3}
!47 = !{i32 1, !"wchar_size", i32 4}
!48 = !{i32 8, !"PIC Level", i32 2}
!49 = !{i32 7, !"uwtable", i32 2}
!50 = !{i32 7, !"frame-pointer", i32 2}
!51 = !{!"clang version 22.1.8"}
!52 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 28, type: !53, scopeLine: 28, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !55)
!53 = !DISubroutineType(types: !54)
!54 = !{!26}
!55 = !{}
!56 = !DILocalVariable(name: "one", scope: !52, file: !3, line: 29, type: !57)
!57 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !58, line: 27, baseType: !59)
!58 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!59 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!60 = !DILocation(line: 29, column: 15, scope: !52)
!61 = !DILocalVariable(name: "two", scope: !52, file: !3, line: 29, type: !57)
!62 = !DILocation(line: 29, column: 20, scope: !52)
!63 = !DILocation(line: 30, column: 5, scope: !52)
!64 = !DILocation(line: 31, column: 5, scope: !52)
!65 = !DILocation(line: 32, column: 18, scope: !52)
!66 = !DILocation(line: 32, column: 5, scope: !52)
!67 = !DILocation(line: 33, column: 18, scope: !52)
!68 = !DILocation(line: 33, column: 5, scope: !52)
!69 = !DILocation(line: 34, column: 1, scope: !52)
!70 = distinct !DISubprogram(name: "writer", scope: !3, file: !3, line: 12, type: !71, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !55)
!71 = !DISubroutineType(types: !72)
!72 = !{!73, !73}
!73 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!74 = !DILocalVariable(name: "unused", arg: 1, scope: !70, file: !3, line: 12, type: !73)
!75 = !DILocation(line: 12, column: 27, scope: !70)
!76 = !DILocalVariable(name: "i", scope: !77, file: !3, line: 13, type: !26)
!77 = distinct !DILexicalBlock(scope: !70, file: !3, line: 13, column: 5)
!78 = !DILocation(line: 13, column: 14, scope: !77)
!79 = !DILocation(line: 13, column: 10, scope: !77)
!80 = !DILocation(line: 13, column: 21, scope: !81)
!81 = distinct !DILexicalBlock(scope: !77, file: !3, line: 13, column: 5)
!82 = !DILocation(line: 13, column: 23, scope: !81)
!83 = !DILocation(line: 13, column: 5, scope: !77)
!84 = !DILocation(line: 14, column: 25, scope: !81)
!85 = !DILocation(line: 14, column: 27, scope: !81)
!86 = !DILocation(line: 14, column: 40, scope: !81)
!87 = !DILocation(line: 14, column: 42, scope: !81)
!88 = !DILocation(line: 14, column: 34, scope: !81)
!89 = !DILocation(line: 14, column: 15, scope: !81)
!90 = !DILocation(line: 14, column: 9, scope: !81)
!91 = !DILocation(line: 14, column: 18, scope: !81)
!92 = !DILocation(line: 14, column: 23, scope: !81)
!93 = !DILocation(line: 13, column: 29, scope: !81)
!94 = !DILocation(line: 13, column: 5, scope: !81)
!95 = distinct !{!95, !83, !96, !97}
!96 = !DILocation(line: 14, column: 49, scope: !77)
!97 = !{!"llvm.loop.mustprogress"}
!98 = !DILocation(line: 15, column: 5, scope: !70)
!99 = !DILocation(line: 16, column: 5, scope: !70)
!100 = !DILocation(line: 17, column: 12, scope: !70)
!101 = !DILocation(line: 17, column: 5, scope: !70)
!102 = distinct !DISubprogram(name: "reader", scope: !3, file: !3, line: 20, type: !71, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !55)
!103 = !DILocalVariable(name: "unused", arg: 1, scope: !102, file: !3, line: 20, type: !73)
!104 = !DILocation(line: 20, column: 27, scope: !102)
!105 = !DILocalVariable(name: "sum", scope: !102, file: !3, line: 21, type: !26)
!106 = !DILocation(line: 21, column: 9, scope: !102)
!107 = !DILocalVariable(name: "n", scope: !108, file: !3, line: 22, type: !19)
!108 = distinct !DILexicalBlock(scope: !102, file: !3, line: 22, column: 5)
!109 = !DILocation(line: 22, column: 23, scope: !108)
!110 = !DILocation(line: 22, column: 27, scope: !108)
!111 = !DILocation(line: 22, column: 10, scope: !108)
!112 = !DILocation(line: 22, column: 78, scope: !113)
!113 = distinct !DILexicalBlock(scope: !108, file: !3, line: 22, column: 5)
!114 = !DILocation(line: 22, column: 5, scope: !108)
!115 = !DILocation(line: 23, column: 38, scope: !113)
!116 = !DILocation(line: 23, column: 41, scope: !113)
!117 = !DILocation(line: 23, column: 16, scope: !113)
!118 = !DILocation(line: 23, column: 13, scope: !113)
!119 = !DILocation(line: 23, column: 9, scope: !113)
!120 = !DILocation(line: 22, column: 85, scope: !113)
!121 = !DILocation(line: 22, column: 88, scope: !113)
!122 = !DILocation(line: 22, column: 83, scope: !113)
!123 = !DILocation(line: 22, column: 5, scope: !113)
!124 = distinct !{!124, !114, !125, !97}
!125 = !DILocation(line: 23, column: 68, scope: !108)
!126 = !DILocation(line: 24, column: 12, scope: !127)
!127 = distinct !DILexicalBlock(scope: !128, file: !3, line: 24, column: 12)
!128 = distinct !DILexicalBlock(scope: !102, file: !3, line: 24, column: 5)
!129 = !DILocation(line: 24, column: 16, scope: !127)
!130 = !DILocation(line: 24, column: 21, scope: !127)
!131 = !DILocation(line: 24, column: 24, scope: !127)
!132 = !DILocation(line: 24, column: 28, scope: !127)
!133 = !DILocation(line: 24, column: 5, scope: !127)
!134 = !DILocation(line: 25, column: 12, scope: !102)
!135 = !DILocation(line: 25, column: 5, scope: !102)
