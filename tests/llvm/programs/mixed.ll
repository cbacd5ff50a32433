target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@chosen = internal global i32 0, align 4, !dbg !0
@functions = internal global [2 x ptr] [ptr @next, ptr @sum], align 16, !dbg !33
@.str = private unnamed_addr constant [25 x i8] c"value == (which ? 3 : 2)\00", align 1, !dbg !16
@.str.1 = private unnamed_addr constant [8 x i8] c"mixed.c\00", align 1, !dbg !22
@__PRETTY_FUNCTION__.worker = private unnamed_addr constant [21 x i8] c"void *worker(void *)\00", align 1, !dbg !27

define i32 @main() !dbg !48 {
  %1 = alloca i64, align 8
  %2 = alloca i32, align 4
    #dbg_declare(ptr %1, !52, !DIExpression(), !56)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !57
  store i32 1, ptr %2, align 4, !dbg !58
  %4 = load i32, ptr %2, align 4, !dbg !58
  store atomic i32 %4, ptr @chosen seq_cst, align 4, !dbg !58
  %5 = load i64, ptr %1, align 8, !dbg !59
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !60
  ret i32 0, !dbg !61
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !62 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !65, !DIExpression(), !66)
    #dbg_declare(ptr %3, !67, !DIExpression(), !68)
  %6 = load atomic i32, ptr @chosen seq_cst, align 4, !dbg !69
  store i32 %6, ptr %4, align 4, !dbg !69
  %7 = load i32, ptr %4, align 4, !dbg !69
  store i32 %7, ptr %3, align 4, !dbg !68
    #dbg_declare(ptr %5, !70, !DIExpression(), !71)
  %8 = load i32, ptr %3, align 4, !dbg !72
  %9 = icmp ne i32 %8, 0, !dbg !72
  br i1 %9, label %10, label %16, !dbg !72

10:                                               ; preds = %1
  %11 = load i32, ptr %3, align 4, !dbg !73
  %12 = sext i32 %11 to i64, !dbg !74
  %13 = getelementptr inbounds [2 x ptr], ptr @functions, i64 0, i64 %12, !dbg !74
  %14 = load ptr, ptr %13, align 8, !dbg !74
  %15 = call i32 %14(i32 noundef 1, i32 noundef 2), !dbg !75
  br label %22, !dbg !72

16:                                               ; preds = %1
  %17 = load i32, ptr %3, align 4, !dbg !76
  %18 = sext i32 %17 to i64, !dbg !77
  %19 = getelementptr inbounds [2 x ptr], ptr @functions, i64 0, i64 %18, !dbg !77
  %20 = load ptr, ptr %19, align 8, !dbg !77
  %21 = call i32 %20(i32 noundef 1), !dbg !78
  br label %22, !dbg !72

22:                                               ; preds = %16, %10
  %23 = phi i32 [ %15, %10 ], [ %21, %16 ], !dbg !72
  store i32 %23, ptr %5, align 4, !dbg !71
  %24 = load i32, ptr %5, align 4, !dbg !79
  %25 = load i32, ptr %3, align 4, !dbg !82
  %26 = icmp ne i32 %25, 0, !dbg !82
  %27 = zext i1 %26 to i64, !dbg !82
  %28 = select i1 %26, i32 3, i32 2, !dbg !82
  %29 = icmp eq i32 %24, %28, !dbg !83
  br i1 %29, label %30, label %31, !dbg !83

30:                                               ; preds = %22
  br label %32, !dbg !83

31:                                               ; preds = %22
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 18, ptr noundef @__PRETTY_FUNCTION__.worker), !dbg !84
  unreachable, !dbg !84

32:                                               ; preds = %30
  %33 = load ptr, ptr %2, align 8, !dbg !85
  ret ptr %33, !dbg !86
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

define internal i32 @next(i32 noundef %0) !dbg !87 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !88, !DIExpression(), !89)
  %3 = load i32, ptr %2, align 4, !dbg !90
  %4 = add nsw i32 %3, 1, !dbg !91
  ret i32 %4, !dbg !92
}

define internal i32 @sum(i32 noundef %0, i32 noundef %1) !dbg !93 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
    #dbg_declare(ptr %3, !94, !DIExpression(), !95)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !96, !DIExpression(), !97)
  %5 = load i32, ptr %3, align 4, !dbg !98
  %6 = load i32, ptr %4, align 4, !dbg !99
  %7 = add nsw i32 %5, %6, !dbg !100
  ret i32 %7, !dbg !101
}


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!41, !42, !43, !44, !45, !46}
!llvm.ident = !{!47}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "chosen", scope: !2, file: !3, line: 13, type: !38, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "mixed.c", directory: ".")
!4 = !{!5, !10, !14}
!5 = !DIDerivedType(tag: DW_TAG_typedef, name: "of_two", file: !3, line: 7, baseType: !6)
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 64)
!7 = !DISubroutineType(types: !8)
!8 = !{!9, !9, !9}
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DIDerivedType(tag: DW_TAG_typedef, name: "of_one", file: !3, line: 6, baseType: !11)
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64)
!12 = !DISubroutineType(types: !13)
!13 = !{!9, !9}
!14 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!15 = !{!0, !16, !22, !27, !33}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 18, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 200, elements: !20)
!19 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!20 = !{!21}
!21 = !DISubrange(count: 25)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !3, line: 18, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 64, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 8)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 18, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 168, elements: !31)
!30 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!31 = !{!32}
!32 = !DISubrange(count: 21)
!33 = !DIGlobalVariableExpression(var: !34, expr: !DIExpression())
!34 = distinct !DIGlobalVariable(name: "functions", scope: !2, file: !3, line: 12, type: !35, isLocal: true, isDefinition: true)
!35 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 128, elements: !36)
!36 = !{!37}
!37 = !DISubrange(count: 2)
!38 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !39, line: 104, baseType: !40)
!39 = !DIFile(filename: "/usr/lib/include/stdatomic.h", directory: "")
!40 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !9)
!41 = !{i32 7, !"Dwarf Version", i32 4}
!42 = !{i32 2, !"Debug Info Version", i32 3}
!43 = !{i32 1, !"wchar_size", i32 4}
!44 = !{i32 8, !"PIC Level", i32 2}
!45 = !{i32 7, !"uwtable", i32 2}
!46 = !{i32 7, !"frame-pointer", i32 2}
!47 = !{!"clang version 22.1.8"}
!48 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 22, type: !49, scopeLine: 22, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !51)
!49 = !DISubroutineType(types: !50)
!50 = !{!9}
!51 = !{}
!52 = !DILocalVariable(name: "thread", scope: !48, file: !3, line: 23, type: !53)
!53 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !54, line: 27, baseType: !55)
!54 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!55 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!56 = !DILocation(line: 23, column: 15, scope: !48)
!57 = !DILocation(line: 24, column: 5, scope: !48)
!58 = !DILocation(line: 25, column: 5, scope: !48)
!59 = !DILocation(line: 26, column: 18, scope: !48)
!60 = !DILocation(line: 26, column: 5, scope: !48)
!61 = !DILocation(line: 27, column: 1, scope: !48)
!62 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 15, type: !63, scopeLine: 15, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !51)
!63 = !DISubroutineType(types: !64)
!64 = !{!14, !14}
!65 = !DILocalVariable(name: "unused", arg: 1, scope: !62, file: !3, line: 15, type: !14)
!66 = !DILocation(line: 15, column: 27, scope: !62)
!67 = !DILocalVariable(name: "which", scope: !62, file: !3, line: 16, type: !9)
!68 = !DILocation(line: 16, column: 9, scope: !62)
!69 = !DILocation(line: 16, column: 17, scope: !62)
!70 = !DILocalVariable(name: "value", scope: !62, file: !3, line: 17, type: !9)
!71 = !DILocation(line: 17, column: 9, scope: !62)
!72 = !DILocation(line: 17, column: 17, scope: !62)
!73 = !DILocation(line: 17, column: 44, scope: !62)
!74 = !DILocation(line: 17, column: 34, scope: !62)
!75 = !DILocation(line: 17, column: 25, scope: !62)
!76 = !DILocation(line: 17, column: 79, scope: !62)
!77 = !DILocation(line: 17, column: 69, scope: !62)
!78 = !DILocation(line: 17, column: 60, scope: !62)
!79 = !DILocation(line: 18, column: 12, scope: !80)
!80 = distinct !DILexicalBlock(scope: !81, file: !3, line: 18, column: 12)
!81 = distinct !DILexicalBlock(scope: !62, file: !3, line: 18, column: 5)
!82 = !DILocation(line: 18, column: 22, scope: !80)
!83 = !DILocation(line: 18, column: 18, scope: !80)
!84 = !DILocation(line: 18, column: 5, scope: !80)
!85 = !DILocation(line: 19, column: 12, scope: !62)
!86 = !DILocation(line: 19, column: 5, scope: !62)
!87 = distinct !DISubprogram(name: "next", scope: !3, file: !3, line: 9, type: !12, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !51)
!88 = !DILocalVariable(name: "value", arg: 1, scope: !87, file: !3, line: 9, type: !9)
!89 = !DILocation(line: 9, column: 21, scope: !87)
!90 = !DILocation(line: 9, column: 37, scope: !87)
!91 = !DILocation(line: 9, column: 43, scope: !87)
!92 = !DILocation(line: 9, column: 30, scope: !87)
!93 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 10, type: !7, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !51)
!94 = !DILocalVariable(name: "value", arg: 1, scope: !93, file: !3, line: 10, type: !9)
!95 = !DILocation(line: 10, column: 20, scope: !93)
!96 = !DILocalVariable(name: "other", arg: 2, scope: !93, file: !3, line: 10, type: !9)
!97 = !DILocation(line: 10, column: 31, scope: !93)
!98 = !DILocation(line: 10, column: 47, scope: !93)
!99 = !DILocation(line: 10, column: 55, scope: !93)
!100 = !DILocation(line: 10, column: 53, scope: !93)
!101 = !DILocation(line: 10, column: 40, scope: !93)
