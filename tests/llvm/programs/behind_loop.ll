target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@ready = global i32 0, align 4, !dbg !0
@again = global i32 0, align 4, !dbg !5
@.str = private unnamed_addr constant [30 x i8] c"seen[0] == 7 && where == seen\00", align 1, !dbg !11
@.str.1 = private unnamed_addr constant [14 x i8] c"behind_loop.c\00", align 1, !dbg !17
@__PRETTY_FUNCTION__.reader = private unnamed_addr constant [21 x i8] c"void *reader(void *)\00", align 1, !dbg !22

define i32 @main() !dbg !35 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !39, !DIExpression(), !43)
    #dbg_declare(ptr %2, !44, !DIExpression(), !45)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @writer, ptr noundef null), !dbg !46
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @reader, ptr noundef null), !dbg !47
  %5 = load i64, ptr %1, align 8, !dbg !48
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !49
  %7 = load i64, ptr %2, align 8, !dbg !50
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !51
  ret i32 0, !dbg !52
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @writer(ptr noundef %0) !dbg !53 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !57, !DIExpression(), !58)
  store i32 1, ptr %3, align 4, !dbg !59
  %5 = load i32, ptr %3, align 4, !dbg !59
  store atomic i32 %5, ptr @again seq_cst, align 4, !dbg !59
  store i32 1, ptr %4, align 4, !dbg !60
  %6 = load i32, ptr %4, align 4, !dbg !60
  store atomic i32 %6, ptr @ready seq_cst, align 4, !dbg !60
  %7 = load ptr, ptr %2, align 8, !dbg !61
  ret ptr %7, !dbg !62
}

define internal ptr @reader(ptr noundef %0) !dbg !63 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca [2 x i32], align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !64, !DIExpression(), !65)
  %8 = load atomic i32, ptr @ready seq_cst, align 4, !dbg !66
  store i32 %8, ptr %3, align 4, !dbg !66
  %9 = load i32, ptr %3, align 4, !dbg !66
  %10 = icmp ne i32 %9, 0, !dbg !66
  br i1 %10, label %11, label %32, !dbg !66

11:                                               ; preds = %1
    #dbg_declare(ptr %4, !68, !DIExpression(), !73)
    #dbg_declare(ptr %5, !74, !DIExpression(), !77)
  %12 = getelementptr inbounds [2 x i32], ptr %4, i64 0, i64 0, !dbg !78
  store volatile ptr %12, ptr %5, align 8, !dbg !77
  %13 = getelementptr inbounds [2 x i32], ptr %4, i64 0, i64 0, !dbg !79
  store i32 5, ptr %13, align 4, !dbg !80
  br label %14, !dbg !81

14:                                               ; preds = %19, %11
  store i32 0, ptr %6, align 4, !dbg !82
  %15 = load i32, ptr %6, align 4, !dbg !82
  %16 = atomicrmw xchg ptr @again, i32 %15 seq_cst, align 4, !dbg !82
  store i32 %16, ptr %7, align 4, !dbg !82
  %17 = load i32, ptr %7, align 4, !dbg !82
  %18 = icmp ne i32 %17, 0, !dbg !81
  br i1 %18, label %19, label %21, !dbg !81

19:                                               ; preds = %14
  %20 = getelementptr inbounds [2 x i32], ptr %4, i64 0, i64 0, !dbg !83
  store i32 7, ptr %20, align 4, !dbg !84
  br label %14, !dbg !81, !llvm.loop !85

21:                                               ; preds = %14
  %22 = getelementptr inbounds [2 x i32], ptr %4, i64 0, i64 0, !dbg !88
  %23 = load i32, ptr %22, align 4, !dbg !88
  %24 = icmp eq i32 %23, 7, !dbg !91
  br i1 %24, label %25, label %30, !dbg !92

25:                                               ; preds = %21
  %26 = load volatile ptr, ptr %5, align 8, !dbg !93
  %27 = getelementptr inbounds [2 x i32], ptr %4, i64 0, i64 0, !dbg !94
  %28 = icmp eq ptr %26, %27, !dbg !95
  br i1 %28, label %29, label %30, !dbg !92

29:                                               ; preds = %25
  br label %31, !dbg !92

30:                                               ; preds = %25, %21
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 20, ptr noundef @__PRETTY_FUNCTION__.reader), !dbg !96
  unreachable, !dbg !96

31:                                               ; preds = %29
  br label %32, !dbg !97

32:                                               ; preds = %31, %1
  %33 = load ptr, ptr %2, align 8, !dbg !98
  ret ptr %33, !dbg !99
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!28, !29, !30, !31, !32, !33}
!llvm.ident = !{!34}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "ready", scope: !2, file: !3, line: 5, type: !7, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "behind_loop.c", directory: ".")
!4 = !{!0, !5, !11, !17, !22}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "again", scope: !2, file: !3, line: 5, type: !7, isLocal: false, isDefinition: true)
!7 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !8, line: 104, baseType: !9)
!8 = !DIFile(filename: "/usr/lib/include/stdatomic.h", directory: "")
!9 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !10)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = !DIGlobalVariableExpression(var: !12, expr: !DIExpression())
!12 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !13, isLocal: true, isDefinition: true)
!13 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 240, elements: !15)
!14 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!15 = !{!16}
!16 = !DISubrange(count: 30)
!17 = !DIGlobalVariableExpression(var: !18, expr: !DIExpression())
!18 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !19, isLocal: true, isDefinition: true)
!19 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 112, elements: !20)
!20 = !{!21}
!21 = !DISubrange(count: 14)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !25, size: 168, elements: !26)
!25 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !14)
!26 = !{!27}
!27 = !DISubrange(count: 21)
!28 = !{i32 7, !"Dwarf Version", i32 4}
!29 = !{i32 2, !"Debug Info Version", i32 3}
!30 = !{i32 1, !"wchar_size", i32 4}
!31 = !{i32 8, !"PIC Level", i32 2}
!32 = !{i32 7, !"uwtable", i32 2}
!33 = !{i32 7, !"frame-pointer", i32 2}
!34 = !{!"clang version 22.1.8"}
!35 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 25, type: !36, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !38)
!36 = !DISubroutineType(types: !37)
!37 = !{!10}
!38 = !{}
!39 = !DILocalVariable(name: "one", scope: !35, file: !3, line: 26, type: !40)
!40 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !41, line: 27, baseType: !42)
!41 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!42 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!43 = !DILocation(line: 26, column: 15, scope: !35)
!44 = !DILocalVariable(name: "two", scope: !35, file: !3, line: 26, type: !40)
!45 = !DILocation(line: 26, column: 20, scope: !35)
!46 = !DILocation(line: 27, column: 5, scope: !35)
!47 = !DILocation(line: 28, column: 5, scope: !35)
!48 = !DILocation(line: 29, column: 18, scope: !35)
!49 = !DILocation(line: 29, column: 5, scope: !35)
!50 = !DILocation(line: 30, column: 18, scope: !35)
!51 = !DILocation(line: 30, column: 5, scope: !35)
!52 = !DILocation(line: 31, column: 1, scope: !35)
!53 = distinct !DISubprogram(name: "writer", scope: !3, file: !3, line: 7, type: !54, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !38)
!54 = !DISubroutineType(types: !55)
!55 = !{!56, !56}
!56 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!57 = !DILocalVariable(name: "unused", arg: 1, scope: !53, file: !3, line: 7, type: !56)
!58 = !DILocation(line: 7, column: 27, scope: !53)
!59 = !DILocation(line: 8, column: 5, scope: !53)
!60 = !DILocation(line: 9, column: 5, scope: !53)
!61 = !DILocation(line: 10, column: 12, scope: !53)
!62 = !DILocation(line: 10, column: 5, scope: !53)
!63 = distinct !DISubprogram(name: "reader", scope: !3, file: !3, line: 13, type: !54, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !38)
!64 = !DILocalVariable(name: "unused", arg: 1, scope: !63, file: !3, line: 13, type: !56)
!65 = !DILocation(line: 13, column: 27, scope: !63)
!66 = !DILocation(line: 14, column: 9, scope: !67)
!67 = distinct !DILexicalBlock(scope: !63, file: !3, line: 14, column: 9)
!68 = !DILocalVariable(name: "seen", scope: !69, file: !3, line: 15, type: !70)
!69 = distinct !DILexicalBlock(scope: !67, file: !3, line: 14, column: 30)
!70 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, size: 64, elements: !71)
!71 = !{!72}
!72 = !DISubrange(count: 2)
!73 = !DILocation(line: 15, column: 13, scope: !69)
!74 = !DILocalVariable(name: "where", scope: !69, file: !3, line: 16, type: !75)
!75 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !76)
!76 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!77 = !DILocation(line: 16, column: 23, scope: !69)
!78 = !DILocation(line: 16, column: 31, scope: !69)
!79 = !DILocation(line: 17, column: 9, scope: !69)
!80 = !DILocation(line: 17, column: 17, scope: !69)
!81 = !DILocation(line: 18, column: 9, scope: !69)
!82 = !DILocation(line: 18, column: 16, scope: !69)
!83 = !DILocation(line: 19, column: 13, scope: !69)
!84 = !DILocation(line: 19, column: 21, scope: !69)
!85 = distinct !{!85, !81, !86, !87}
!86 = !DILocation(line: 19, column: 23, scope: !69)
!87 = !{!"llvm.loop.mustprogress"}
!88 = !DILocation(line: 20, column: 16, scope: !89)
!89 = distinct !DILexicalBlock(scope: !90, file: !3, line: 20, column: 16)
!90 = distinct !DILexicalBlock(scope: !69, file: !3, line: 20, column: 9)
!91 = !DILocation(line: 20, column: 24, scope: !89)
!92 = !DILocation(line: 20, column: 29, scope: !89)
!93 = !DILocation(line: 20, column: 32, scope: !89)
!94 = !DILocation(line: 20, column: 41, scope: !89)
!95 = !DILocation(line: 20, column: 38, scope: !89)
!96 = !DILocation(line: 20, column: 9, scope: !89)
!97 = !DILocation(line: 21, column: 5, scope: !69)
!98 = !DILocation(line: 22, column: 12, scope: !63)
!99 = !DILocation(line: 22, column: 5, scope: !63)
