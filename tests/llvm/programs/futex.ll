target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@counter = internal global i32 0, align 4, !dbg !0
@.str = private unnamed_addr constant [13 x i8] c"counter == 2\00", align 1, !dbg !7
@.str.1 = private unnamed_addr constant [8 x i8] c"futex.c\00", align 1, !dbg !13
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !18
@mutex = internal global i32 0, align 4, !dbg !24

define i32 @main() !dbg !37 {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !41, !DIExpression(), !45)
  %3 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @thread, ptr noundef null), !dbg !46
  %4 = call ptr @thread(ptr noundef null), !dbg !47
  %5 = load i64, ptr %2, align 8, !dbg !48
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !49
  %7 = load i32, ptr @counter, align 4, !dbg !50
  %8 = icmp eq i32 %7, 2, !dbg !53
  br i1 %8, label %9, label %10, !dbg !53

9:                                                ; preds = %0
  br label %11, !dbg !53

10:                                               ; preds = %0
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 39, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !54
  unreachable, !dbg !54

11:                                               ; preds = %9
  ret i32 0, !dbg !55
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @thread(ptr noundef %0) !dbg !56 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !59, !DIExpression(), !60)
  call void @lock(), !dbg !61
  %3 = load i32, ptr @counter, align 4, !dbg !62
  %4 = add nsw i32 %3, 1, !dbg !62
  store i32 %4, ptr @counter, align 4, !dbg !62
  call void @unlock(), !dbg !63
  ret ptr null, !dbg !64
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

define internal void @lock() !dbg !65 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i8, align 1
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
    #dbg_declare(ptr %1, !68, !DIExpression(), !69)
  store i32 0, ptr %1, align 4, !dbg !69
  store i32 1, ptr %2, align 4, !dbg !70
  %8 = load i32, ptr %1, align 4, !dbg !70
  %9 = load i32, ptr %2, align 4, !dbg !70
  %10 = cmpxchg ptr @mutex, i32 %8, i32 %9 seq_cst seq_cst, align 4, !dbg !70
  %11 = extractvalue { i32, i1 } %10, 0, !dbg !70
  %12 = extractvalue { i32, i1 } %10, 1, !dbg !70
  br i1 %12, label %14, label %13, !dbg !70

13:                                               ; preds = %0
  store i32 %11, ptr %1, align 4, !dbg !70
  br label %14, !dbg !70

14:                                               ; preds = %13, %0
  %15 = zext i1 %12 to i8, !dbg !70
  store i8 %15, ptr %3, align 1, !dbg !70
  %16 = load i8, ptr %3, align 1, !dbg !70
  %17 = trunc i8 %16 to i1, !dbg !70
  br i1 %17, label %18, label %19, !dbg !70

18:                                               ; preds = %14
  br label %35, !dbg !72

19:                                               ; preds = %14
  %20 = load i32, ptr %1, align 4, !dbg !73
  %21 = icmp ne i32 %20, 2, !dbg !75
  br i1 %21, label %22, label %26, !dbg !75

22:                                               ; preds = %19
  store i32 2, ptr %4, align 4, !dbg !76
  %23 = load i32, ptr %4, align 4, !dbg !76
  %24 = atomicrmw xchg ptr @mutex, i32 %23 seq_cst, align 4, !dbg !76
  store i32 %24, ptr %5, align 4, !dbg !76
  %25 = load i32, ptr %5, align 4, !dbg !76
  store i32 %25, ptr %1, align 4, !dbg !77
  br label %26, !dbg !78

26:                                               ; preds = %22, %19
  br label %27, !dbg !79

27:                                               ; preds = %30, %26
  %28 = load i32, ptr %1, align 4, !dbg !80
  %29 = icmp ne i32 %28, 0, !dbg !81
  br i1 %29, label %30, label %35, !dbg !79

30:                                               ; preds = %27
  %31 = call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef @mutex, i32 noundef 128, i32 noundef 2, ptr noundef null, ptr noundef null, i32 noundef 0), !dbg !82
  store i32 2, ptr %6, align 4, !dbg !84
  %32 = load i32, ptr %6, align 4, !dbg !84
  %33 = atomicrmw xchg ptr @mutex, i32 %32 seq_cst, align 4, !dbg !84
  store i32 %33, ptr %7, align 4, !dbg !84
  %34 = load i32, ptr %7, align 4, !dbg !84
  store i32 %34, ptr %1, align 4, !dbg !85
  br label %27, !dbg !79, !llvm.loop !86

35:                                               ; preds = %18, %27
  ret void, !dbg !89
}

define internal void @unlock() !dbg !90 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  store i32 0, ptr %1, align 4, !dbg !91
  %3 = load i32, ptr %1, align 4, !dbg !91
  %4 = atomicrmw xchg ptr @mutex, i32 %3 seq_cst, align 4, !dbg !91
  store i32 %4, ptr %2, align 4, !dbg !91
  %5 = load i32, ptr %2, align 4, !dbg !91
  %6 = icmp eq i32 %5, 2, !dbg !93
  br i1 %6, label %7, label %9, !dbg !93

7:                                                ; preds = %0
  %8 = call i64 (i64, ...) @syscall(i64 noundef 202, ptr noundef @mutex, i32 noundef 129, i32 noundef 1, ptr noundef null, ptr noundef null, i32 noundef 0), !dbg !94
  br label %9, !dbg !94

9:                                                ; preds = %7, %0
  ret void, !dbg !95
}

declare i64 @syscall(i64 noundef, ...)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!30, !31, !32, !33, !34, !35}
!llvm.ident = !{!36}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "counter", scope: !2, file: !3, line: 11, type: !29, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "futex.c", directory: ".")
!4 = !{!5}
!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!6 = !{!7, !13, !18, !0, !24}
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(scope: null, file: !3, line: 39, type: !9, isLocal: true, isDefinition: true)
!9 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, size: 104, elements: !11)
!10 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!11 = !{!12}
!12 = !DISubrange(count: 13)
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(scope: null, file: !3, line: 39, type: !15, isLocal: true, isDefinition: true)
!15 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, size: 64, elements: !16)
!16 = !{!17}
!17 = !DISubrange(count: 8)
!18 = !DIGlobalVariableExpression(var: !19, expr: !DIExpression())
!19 = distinct !DIGlobalVariable(scope: null, file: !3, line: 39, type: !20, isLocal: true, isDefinition: true)
!20 = !DICompositeType(tag: DW_TAG_array_type, baseType: !21, size: 120, elements: !22)
!21 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !10)
!22 = !{!23}
!23 = !DISubrange(count: 15)
!24 = !DIGlobalVariableExpression(var: !25, expr: !DIExpression())
!25 = distinct !DIGlobalVariable(name: "mutex", scope: !2, file: !3, line: 10, type: !26, isLocal: true, isDefinition: true)
!26 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !27, line: 104, baseType: !28)
!27 = !DIFile(filename: "/usr/lib/include/stdatomic.h", directory: "")
!28 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !29)
!29 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!30 = !{i32 7, !"Dwarf Version", i32 4}
!31 = !{i32 2, !"Debug Info Version", i32 3}
!32 = !{i32 1, !"wchar_size", i32 4}
!33 = !{i32 8, !"PIC Level", i32 2}
!34 = !{i32 7, !"uwtable", i32 2}
!35 = !{i32 7, !"frame-pointer", i32 2}
!36 = !{!"clang version 22.1.8"}
!37 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 34, type: !38, scopeLine: 34, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !40)
!38 = !DISubroutineType(types: !39)
!39 = !{!29}
!40 = !{}
!41 = !DILocalVariable(name: "t", scope: !37, file: !3, line: 35, type: !42)
!42 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !43, line: 27, baseType: !44)
!43 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!44 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!45 = !DILocation(line: 35, column: 13, scope: !37)
!46 = !DILocation(line: 36, column: 3, scope: !37)
!47 = !DILocation(line: 37, column: 3, scope: !37)
!48 = !DILocation(line: 38, column: 16, scope: !37)
!49 = !DILocation(line: 38, column: 3, scope: !37)
!50 = !DILocation(line: 39, column: 10, scope: !51)
!51 = distinct !DILexicalBlock(scope: !52, file: !3, line: 39, column: 10)
!52 = distinct !DILexicalBlock(scope: !37, file: !3, line: 39, column: 3)
!53 = !DILocation(line: 39, column: 18, scope: !51)
!54 = !DILocation(line: 39, column: 3, scope: !51)
!55 = !DILocation(line: 40, column: 3, scope: !37)
!56 = distinct !DISubprogram(name: "thread", scope: !3, file: !3, line: 27, type: !57, scopeLine: 27, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !40)
!57 = !DISubroutineType(types: !58)
!58 = !{!5, !5}
!59 = !DILocalVariable(name: "unused", arg: 1, scope: !56, file: !3, line: 27, type: !5)
!60 = !DILocation(line: 27, column: 27, scope: !56)
!61 = !DILocation(line: 28, column: 3, scope: !56)
!62 = !DILocation(line: 29, column: 10, scope: !56)
!63 = !DILocation(line: 30, column: 3, scope: !56)
!64 = !DILocation(line: 31, column: 3, scope: !56)
!65 = distinct !DISubprogram(name: "lock", scope: !3, file: !3, line: 13, type: !66, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !40)
!66 = !DISubroutineType(types: !67)
!67 = !{null}
!68 = !DILocalVariable(name: "seen", scope: !65, file: !3, line: 14, type: !29)
!69 = !DILocation(line: 14, column: 7, scope: !65)
!70 = !DILocation(line: 15, column: 7, scope: !71)
!71 = distinct !DILexicalBlock(scope: !65, file: !3, line: 15, column: 7)
!72 = !DILocation(line: 15, column: 57, scope: !71)
!73 = !DILocation(line: 16, column: 7, scope: !74)
!74 = distinct !DILexicalBlock(scope: !65, file: !3, line: 16, column: 7)
!75 = !DILocation(line: 16, column: 12, scope: !74)
!76 = !DILocation(line: 16, column: 25, scope: !74)
!77 = !DILocation(line: 16, column: 23, scope: !74)
!78 = !DILocation(line: 16, column: 18, scope: !74)
!79 = !DILocation(line: 17, column: 3, scope: !65)
!80 = !DILocation(line: 17, column: 10, scope: !65)
!81 = !DILocation(line: 17, column: 15, scope: !65)
!82 = !DILocation(line: 18, column: 5, scope: !83)
!83 = distinct !DILexicalBlock(scope: !65, file: !3, line: 17, column: 21)
!84 = !DILocation(line: 19, column: 12, scope: !83)
!85 = !DILocation(line: 19, column: 10, scope: !83)
!86 = distinct !{!86, !79, !87, !88}
!87 = !DILocation(line: 20, column: 3, scope: !65)
!88 = !{!"llvm.loop.mustprogress"}
!89 = !DILocation(line: 21, column: 1, scope: !65)
!90 = distinct !DISubprogram(name: "unlock", scope: !3, file: !3, line: 23, type: !66, scopeLine: 23, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2)
!91 = !DILocation(line: 24, column: 7, scope: !92)
!92 = distinct !DILexicalBlock(scope: !90, file: !3, line: 24, column: 7)
!93 = !DILocation(line: 24, column: 34, scope: !92)
!94 = !DILocation(line: 24, column: 40, scope: !92)
!95 = !DILocation(line: 25, column: 1, scope: !90)
