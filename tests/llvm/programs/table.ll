target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.handler = type { ptr, i32 }

@wanted = internal global i32 0, align 4, !dbg !0
@.str = private unnamed_addr constant [26 x i8] c"value == 3 || value == 37\00", align 1, !dbg !5
@.str.1 = private unnamed_addr constant [8 x i8] c"table.c\00", align 1, !dbg !11
@__PRETTY_FUNCTION__.worker = private unnamed_addr constant [21 x i8] c"void *worker(void *)\00", align 1, !dbg !16
@handlers = internal global [3 x { ptr, i32, [4 x i8] }] [{ ptr, i32, [4 x i8] } { ptr @twice, i32 1, [4 x i8] zeroinitializer }, { ptr, i32, [4 x i8] } { ptr @square, i32 2, [4 x i8] zeroinitializer }, { ptr, i32, [4 x i8] } { ptr @next, i32 1, [4 x i8] zeroinitializer }], align 16, !dbg !22

define i32 @main() !dbg !45 {
  %1 = alloca i64, align 8
  %2 = alloca i32, align 4
    #dbg_declare(ptr %1, !49, !DIExpression(), !53)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !54
  store i32 1, ptr %2, align 4, !dbg !55
  %4 = load i32, ptr %2, align 4, !dbg !55
  store atomic i32 %4, ptr @wanted seq_cst, align 4, !dbg !55
  %5 = load i64, ptr %1, align 8, !dbg !56
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !57
  ret i32 0, !dbg !58
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !59 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !63, !DIExpression(), !64)
    #dbg_declare(ptr %3, !65, !DIExpression(), !66)
  store i32 3, ptr %3, align 4, !dbg !66
  %6 = load atomic i32, ptr @wanted seq_cst, align 4, !dbg !67
  store i32 %6, ptr %4, align 4, !dbg !67
  %7 = load i32, ptr %4, align 4, !dbg !67
  %8 = icmp ne i32 %7, 0, !dbg !67
  br i1 %8, label %9, label %27, !dbg !67

9:                                                ; preds = %1
    #dbg_declare(ptr %5, !69, !DIExpression(), !72)
  store ptr @handlers, ptr %5, align 8, !dbg !72
  br label %10, !dbg !73

10:                                               ; preds = %23, %9
  %11 = load ptr, ptr %5, align 8, !dbg !74
  %12 = icmp ult ptr %11, getelementptr inbounds (%struct.handler, ptr @handlers, i64 3), !dbg !76
  br i1 %12, label %13, label %26, !dbg !77

13:                                               ; preds = %10
  %14 = load ptr, ptr %5, align 8, !dbg !78
  %15 = getelementptr inbounds nuw %struct.handler, ptr %14, i32 0, i32 0, !dbg !80
  %16 = load ptr, ptr %15, align 8, !dbg !78
  %17 = load i32, ptr %3, align 4, !dbg !81
  %18 = call i32 %16(i32 noundef %17), !dbg !78
  store i32 %18, ptr %3, align 4, !dbg !82
  %19 = load ptr, ptr %5, align 8, !dbg !83
  %20 = getelementptr inbounds nuw %struct.handler, ptr %19, i32 0, i32 1, !dbg !84
  %21 = load i32, ptr %20, align 8, !dbg !85
  %22 = add nsw i32 %21, 1, !dbg !85
  store i32 %22, ptr %20, align 8, !dbg !85
  br label %23, !dbg !86

23:                                               ; preds = %13
  %24 = load ptr, ptr %5, align 8, !dbg !87
  %25 = getelementptr inbounds nuw %struct.handler, ptr %24, i32 1, !dbg !87
  store ptr %25, ptr %5, align 8, !dbg !87
  br label %10, !dbg !88, !llvm.loop !89

26:                                               ; preds = %10
  br label %27, !dbg !90

27:                                               ; preds = %26, %1
  %28 = load i32, ptr %3, align 4, !dbg !92
  %29 = icmp eq i32 %28, 3, !dbg !95
  br i1 %29, label %33, label %30, !dbg !96

30:                                               ; preds = %27
  %31 = load i32, ptr %3, align 4, !dbg !97
  %32 = icmp eq i32 %31, 37, !dbg !98
  br i1 %32, label %33, label %34, !dbg !96

33:                                               ; preds = %30, %27
  br label %35, !dbg !96

34:                                               ; preds = %30
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 25, ptr noundef @__PRETTY_FUNCTION__.worker), !dbg !99
  unreachable, !dbg !99

35:                                               ; preds = %33
  %36 = load ptr, ptr %2, align 8, !dbg !100
  ret ptr %36, !dbg !101
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

define internal i32 @twice(i32 noundef %0) !dbg !102 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !103, !DIExpression(), !104)
  %3 = load i32, ptr %2, align 4, !dbg !105
  %4 = mul nsw i32 2, %3, !dbg !106
  ret i32 %4, !dbg !107
}

define internal i32 @square(i32 noundef %0) !dbg !108 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !109, !DIExpression(), !110)
  %3 = load i32, ptr %2, align 4, !dbg !111
  %4 = load i32, ptr %2, align 4, !dbg !112
  %5 = mul nsw i32 %3, %4, !dbg !113
  ret i32 %5, !dbg !114
}

define internal i32 @next(i32 noundef %0) !dbg !115 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !116, !DIExpression(), !117)
  %3 = load i32, ptr %2, align 4, !dbg !118
  %4 = add nsw i32 %3, 1, !dbg !119
  ret i32 %4, !dbg !120
}


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!38, !39, !40, !41, !42, !43}
!llvm.ident = !{!44}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "wanted", scope: !2, file: !3, line: 16, type: !35, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "table.c", directory: ".")
!4 = !{!0, !5, !11, !16, !22}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(scope: null, file: !3, line: 25, type: !7, isLocal: true, isDefinition: true)
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 208, elements: !9)
!8 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!9 = !{!10}
!10 = !DISubrange(count: 26)
!11 = !DIGlobalVariableExpression(var: !12, expr: !DIExpression())
!12 = distinct !DIGlobalVariable(scope: null, file: !3, line: 25, type: !13, isLocal: true, isDefinition: true)
!13 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 64, elements: !14)
!14 = !{!15}
!15 = !DISubrange(count: 8)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 25, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 168, elements: !20)
!19 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !8)
!20 = !{!21}
!21 = !DISubrange(count: 21)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(name: "handlers", scope: !2, file: !3, line: 15, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !25, size: 384, elements: !33)
!25 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "handler", file: !3, line: 6, size: 128, elements: !26)
!26 = !{!27, !32}
!27 = !DIDerivedType(tag: DW_TAG_member, name: "of", scope: !25, file: !3, line: 7, baseType: !28, size: 64)
!28 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !29, size: 64)
!29 = !DISubroutineType(types: !30)
!30 = !{!31, !31}
!31 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!32 = !DIDerivedType(tag: DW_TAG_member, name: "times", scope: !25, file: !3, line: 8, baseType: !31, size: 32, offset: 64)
!33 = !{!34}
!34 = !DISubrange(count: 3)
!35 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !36, line: 104, baseType: !37)
!36 = !DIFile(filename: "/usr/lib/include/stdatomic.h", directory: "")
!37 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !31)
!38 = !{i32 7, !"Dwarf Version", i32 4}
!39 = !{i32 2, !"Debug Info Version", i32 3}
!40 = !{i32 1, !"wchar_size", i32 4}
!41 = !{i32 8, !"PIC Level", i32 2}
!42 = !{i32 7, !"uwtable", i32 2}
!43 = !{i32 7, !"frame-pointer", i32 2}
!44 = !{!"clang version 22.1.8"}
!45 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 29, type: !46, scopeLine: 29, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !48)
!46 = !DISubroutineType(types: !47)
!47 = !{!31}
!48 = !{}
!49 = !DILocalVariable(name: "thread", scope: !45, file: !3, line: 30, type: !50)
!50 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !51, line: 27, baseType: !52)
!51 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!52 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!53 = !DILocation(line: 30, column: 15, scope: !45)
!54 = !DILocation(line: 31, column: 5, scope: !45)
!55 = !DILocation(line: 32, column: 5, scope: !45)
!56 = !DILocation(line: 33, column: 18, scope: !45)
!57 = !DILocation(line: 33, column: 5, scope: !45)
!58 = !DILocation(line: 34, column: 1, scope: !45)
!59 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 18, type: !60, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !48)
!60 = !DISubroutineType(types: !61)
!61 = !{!62, !62}
!62 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!63 = !DILocalVariable(name: "unused", arg: 1, scope: !59, file: !3, line: 18, type: !62)
!64 = !DILocation(line: 18, column: 27, scope: !59)
!65 = !DILocalVariable(name: "value", scope: !59, file: !3, line: 19, type: !31)
!66 = !DILocation(line: 19, column: 9, scope: !59)
!67 = !DILocation(line: 20, column: 9, scope: !68)
!68 = distinct !DILexicalBlock(scope: !59, file: !3, line: 20, column: 9)
!69 = !DILocalVariable(name: "each", scope: !70, file: !3, line: 21, type: !71)
!70 = distinct !DILexicalBlock(scope: !68, file: !3, line: 21, column: 9)
!71 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!72 = !DILocation(line: 21, column: 30, scope: !70)
!73 = !DILocation(line: 21, column: 14, scope: !70)
!74 = !DILocation(line: 21, column: 47, scope: !75)
!75 = distinct !DILexicalBlock(scope: !70, file: !3, line: 21, column: 9)
!76 = !DILocation(line: 21, column: 52, scope: !75)
!77 = !DILocation(line: 21, column: 9, scope: !70)
!78 = !DILocation(line: 22, column: 21, scope: !79)
!79 = distinct !DILexicalBlock(scope: !75, file: !3, line: 21, column: 76)
!80 = !DILocation(line: 22, column: 27, scope: !79)
!81 = !DILocation(line: 22, column: 30, scope: !79)
!82 = !DILocation(line: 22, column: 19, scope: !79)
!83 = !DILocation(line: 23, column: 13, scope: !79)
!84 = !DILocation(line: 23, column: 19, scope: !79)
!85 = !DILocation(line: 23, column: 24, scope: !79)
!86 = !DILocation(line: 24, column: 9, scope: !79)
!87 = !DILocation(line: 21, column: 72, scope: !75)
!88 = !DILocation(line: 21, column: 9, scope: !75)
!89 = distinct !{!89, !77, !90, !91}
!90 = !DILocation(line: 24, column: 9, scope: !70)
!91 = !{!"llvm.loop.mustprogress"}
!92 = !DILocation(line: 25, column: 12, scope: !93)
!93 = distinct !DILexicalBlock(scope: !94, file: !3, line: 25, column: 12)
!94 = distinct !DILexicalBlock(scope: !59, file: !3, line: 25, column: 5)
!95 = !DILocation(line: 25, column: 18, scope: !93)
!96 = !DILocation(line: 25, column: 23, scope: !93)
!97 = !DILocation(line: 25, column: 26, scope: !93)
!98 = !DILocation(line: 25, column: 32, scope: !93)
!99 = !DILocation(line: 25, column: 5, scope: !93)
!100 = !DILocation(line: 26, column: 12, scope: !59)
!101 = !DILocation(line: 26, column: 5, scope: !59)
!102 = distinct !DISubprogram(name: "twice", scope: !3, file: !3, line: 11, type: !29, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !48)
!103 = !DILocalVariable(name: "value", arg: 1, scope: !102, file: !3, line: 11, type: !31)
!104 = !DILocation(line: 11, column: 22, scope: !102)
!105 = !DILocation(line: 11, column: 42, scope: !102)
!106 = !DILocation(line: 11, column: 40, scope: !102)
!107 = !DILocation(line: 11, column: 31, scope: !102)
!108 = distinct !DISubprogram(name: "square", scope: !3, file: !3, line: 12, type: !29, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !48)
!109 = !DILocalVariable(name: "value", arg: 1, scope: !108, file: !3, line: 12, type: !31)
!110 = !DILocation(line: 12, column: 23, scope: !108)
!111 = !DILocation(line: 12, column: 39, scope: !108)
!112 = !DILocation(line: 12, column: 47, scope: !108)
!113 = !DILocation(line: 12, column: 45, scope: !108)
!114 = !DILocation(line: 12, column: 32, scope: !108)
!115 = distinct !DISubprogram(name: "next", scope: !3, file: !3, line: 13, type: !29, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !48)
!116 = !DILocalVariable(name: "value", arg: 1, scope: !115, file: !3, line: 13, type: !31)
!117 = !DILocation(line: 13, column: 21, scope: !115)
!118 = !DILocation(line: 13, column: 37, scope: !115)
!119 = !DILocation(line: 13, column: 43, scope: !115)
!120 = !DILocation(line: 13, column: 30, scope: !115)
