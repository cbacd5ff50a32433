target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%union.pthread_barrier_t = type { i64, [24 x i8] }

@barrier = global %union.pthread_barrier_t zeroinitializer, align 8, !dbg !0
@first = global i32 0, align 4, !dbg !5
@second = global i32 0, align 4, !dbg !8
@.str = private unnamed_addr constant [12 x i8] c"second == 2\00", align 1, !dbg !10
@.str.1 = private unnamed_addr constant [10 x i8] c"barrier.c\00", align 1, !dbg !16
@__PRETTY_FUNCTION__.left = private unnamed_addr constant [19 x i8] c"void *left(void *)\00", align 1, !dbg !21
@.str.2 = private unnamed_addr constant [11 x i8] c"first == 1\00", align 1, !dbg !27
@__PRETTY_FUNCTION__.right = private unnamed_addr constant [20 x i8] c"void *right(void *)\00", align 1, !dbg !32

define i32 @main() !dbg !54 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !58, !DIExpression(), !61)
    #dbg_declare(ptr %2, !62, !DIExpression(), !63)
  %3 = call i32 @pthread_barrier_init(ptr noundef @barrier, ptr noundef null, i32 noundef 2), !dbg !64
  %4 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @left, ptr noundef null), !dbg !65
  %5 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @right, ptr noundef null), !dbg !66
  %6 = load i64, ptr %1, align 8, !dbg !67
  %7 = call i32 @pthread_join(i64 noundef %6, ptr noundef null), !dbg !68
  %8 = load i64, ptr %2, align 8, !dbg !69
  %9 = call i32 @pthread_join(i64 noundef %8, ptr noundef null), !dbg !70
  ret i32 0, !dbg !71
}

declare i32 @pthread_barrier_init(ptr noundef, ptr noundef, i32 noundef)

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @left(ptr noundef %0) !dbg !72 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !76, !DIExpression(), !77)
  store i32 1, ptr @first, align 4, !dbg !78
  %3 = call i32 @pthread_barrier_wait(ptr noundef @barrier), !dbg !79
  %4 = load i32, ptr @second, align 4, !dbg !80
  %5 = icmp eq i32 %4, 2, !dbg !83
  br i1 %5, label %6, label %7, !dbg !83

6:                                                ; preds = %1
  br label %8, !dbg !83

7:                                                ; preds = %1
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 12, ptr noundef @__PRETTY_FUNCTION__.left), !dbg !84
  unreachable, !dbg !84

8:                                                ; preds = %6
  %9 = load ptr, ptr %2, align 8, !dbg !85
  ret ptr %9, !dbg !86
}

define internal ptr @right(ptr noundef %0) !dbg !87 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !88, !DIExpression(), !89)
  store i32 2, ptr @second, align 4, !dbg !90
  %3 = call i32 @pthread_barrier_wait(ptr noundef @barrier), !dbg !91
  %4 = load i32, ptr @first, align 4, !dbg !92
  %5 = icmp eq i32 %4, 1, !dbg !95
  br i1 %5, label %6, label %7, !dbg !95

6:                                                ; preds = %1
  br label %8, !dbg !95

7:                                                ; preds = %1
  call void @__assert_fail(ptr noundef @.str.2, ptr noundef @.str.1, i32 noundef 19, ptr noundef @__PRETTY_FUNCTION__.right), !dbg !96
  unreachable, !dbg !96

8:                                                ; preds = %6
  %9 = load ptr, ptr %2, align 8, !dbg !97
  ret ptr %9, !dbg !98
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare i32 @pthread_barrier_wait(ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!47, !48, !49, !50, !51, !52}
!llvm.ident = !{!53}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "barrier", scope: !2, file: !3, line: 6, type: !37, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "barrier.c", directory: ".")
!4 = !{!0, !5, !8, !10, !16, !21, !27, !32}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "first", scope: !2, file: !3, line: 7, type: !7, isLocal: false, isDefinition: true)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!9 = distinct !DIGlobalVariable(name: "second", scope: !2, file: !3, line: 7, type: !7, isLocal: false, isDefinition: true)
!10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())
!11 = distinct !DIGlobalVariable(scope: null, file: !3, line: 12, type: !12, isLocal: true, isDefinition: true)
!12 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, size: 96, elements: !14)
!13 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!14 = !{!15}
!15 = !DISubrange(count: 12)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 12, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, size: 80, elements: !19)
!19 = !{!20}
!20 = !DISubrange(count: 10)
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(scope: null, file: !3, line: 12, type: !23, isLocal: true, isDefinition: true)
!23 = !DICompositeType(tag: DW_TAG_array_type, baseType: !24, size: 152, elements: !25)
!24 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !13)
!25 = !{!26}
!26 = !DISubrange(count: 19)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 19, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, size: 88, elements: !30)
!30 = !{!31}
!31 = !DISubrange(count: 11)
!32 = !DIGlobalVariableExpression(var: !33, expr: !DIExpression())
!33 = distinct !DIGlobalVariable(scope: null, file: !3, line: 19, type: !34, isLocal: true, isDefinition: true)
!34 = !DICompositeType(tag: DW_TAG_array_type, baseType: !24, size: 160, elements: !35)
!35 = !{!36}
!36 = !DISubrange(count: 20)
!37 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_barrier_t", file: !38, line: 112, baseType: !39)
!38 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!39 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !38, line: 108, size: 256, elements: !40)
!40 = !{!41, !45}
!41 = !DIDerivedType(tag: DW_TAG_member, name: "__size", scope: !39, file: !38, line: 110, baseType: !42, size: 256)
!42 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, size: 256, elements: !43)
!43 = !{!44}
!44 = !DISubrange(count: 32)
!45 = !DIDerivedType(tag: DW_TAG_member, name: "__align", scope: !39, file: !38, line: 111, baseType: !46, size: 64)
!46 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!47 = !{i32 7, !"Dwarf Version", i32 4}
!48 = !{i32 2, !"Debug Info Version", i32 3}
!49 = !{i32 1, !"wchar_size", i32 4}
!50 = !{i32 8, !"PIC Level", i32 2}
!51 = !{i32 7, !"uwtable", i32 2}
!52 = !{i32 7, !"frame-pointer", i32 2}
!53 = !{!"clang version 22.1.8"}
!54 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 23, type: !55, scopeLine: 23, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !57)
!55 = !DISubroutineType(types: !56)
!56 = !{!7}
!57 = !{}
!58 = !DILocalVariable(name: "one", scope: !54, file: !3, line: 24, type: !59)
!59 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !38, line: 27, baseType: !60)
!60 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!61 = !DILocation(line: 24, column: 15, scope: !54)
!62 = !DILocalVariable(name: "two", scope: !54, file: !3, line: 24, type: !59)
!63 = !DILocation(line: 24, column: 20, scope: !54)
!64 = !DILocation(line: 25, column: 5, scope: !54)
!65 = !DILocation(line: 26, column: 5, scope: !54)
!66 = !DILocation(line: 27, column: 5, scope: !54)
!67 = !DILocation(line: 28, column: 18, scope: !54)
!68 = !DILocation(line: 28, column: 5, scope: !54)
!69 = !DILocation(line: 29, column: 18, scope: !54)
!70 = !DILocation(line: 29, column: 5, scope: !54)
!71 = !DILocation(line: 30, column: 1, scope: !54)
!72 = distinct !DISubprogram(name: "left", scope: !3, file: !3, line: 9, type: !73, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !57)
!73 = !DISubroutineType(types: !74)
!74 = !{!75, !75}
!75 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!76 = !DILocalVariable(name: "unused", arg: 1, scope: !72, file: !3, line: 9, type: !75)
!77 = !DILocation(line: 9, column: 25, scope: !72)
!78 = !DILocation(line: 10, column: 11, scope: !72)
!79 = !DILocation(line: 11, column: 5, scope: !72)
!80 = !DILocation(line: 12, column: 12, scope: !81)
!81 = distinct !DILexicalBlock(scope: !82, file: !3, line: 12, column: 12)
!82 = distinct !DILexicalBlock(scope: !72, file: !3, line: 12, column: 5)
!83 = !DILocation(line: 12, column: 19, scope: !81)
!84 = !DILocation(line: 12, column: 5, scope: !81)
!85 = !DILocation(line: 13, column: 12, scope: !72)
!86 = !DILocation(line: 13, column: 5, scope: !72)
!87 = distinct !DISubprogram(name: "right", scope: !3, file: !3, line: 16, type: !73, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !57)
!88 = !DILocalVariable(name: "unused", arg: 1, scope: !87, file: !3, line: 16, type: !75)
!89 = !DILocation(line: 16, column: 26, scope: !87)
!90 = !DILocation(line: 17, column: 12, scope: !87)
!91 = !DILocation(line: 18, column: 5, scope: !87)
!92 = !DILocation(line: 19, column: 12, scope: !93)
!93 = distinct !DILexicalBlock(scope: !94, file: !3, line: 19, column: 12)
!94 = distinct !DILexicalBlock(scope: !87, file: !3, line: 19, column: 5)
!95 = !DILocation(line: 19, column: 18, scope: !93)
!96 = !DILocation(line: 19, column: 5, scope: !93)
!97 = !DILocation(line: 20, column: 12, scope: !87)
!98 = !DILocation(line: 20, column: 5, scope: !87)
