target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%union.both = type { i64 }

@both = global %union.both zeroinitializer, align 8, !dbg !0
@flag = global i32 0, align 4, !dbg !16
@.str = private unnamed_addr constant [39 x i8] c"both.half[0] == 1 && both.half[1] == 2\00", align 1, !dbg !21
@.str.1 = private unnamed_addr constant [9 x i8] c"halves.c\00", align 1, !dbg !27
@__PRETTY_FUNCTION__.reader = private unnamed_addr constant [21 x i8] c"void *reader(void *)\00", align 1, !dbg !32

define i32 @main() !dbg !53 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !57, !DIExpression(), !61)
    #dbg_declare(ptr %2, !62, !DIExpression(), !63)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @writer, ptr noundef null), !dbg !64
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @reader, ptr noundef null), !dbg !65
  %5 = load i64, ptr %1, align 8, !dbg !66
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !67
  %7 = load i64, ptr %2, align 8, !dbg !68
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !69
  ret i32 0, !dbg !70
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @writer(ptr noundef %0) !dbg !71 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !75, !DIExpression(), !76)
  store i64 8589934593, ptr @both, align 8, !dbg !77
  store i32 1, ptr %3, align 4, !dbg !78
  %4 = load i32, ptr %3, align 4, !dbg !78
  store atomic i32 %4, ptr @flag release, align 4, !dbg !78
  %5 = load ptr, ptr %2, align 8, !dbg !79
  ret ptr %5, !dbg !80
}

define internal ptr @reader(ptr noundef %0) !dbg !81 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !82, !DIExpression(), !83)
  %4 = load atomic i32, ptr @flag acquire, align 4, !dbg !84
  store i32 %4, ptr %3, align 4, !dbg !84
  %5 = load i32, ptr %3, align 4, !dbg !84
  %6 = icmp ne i32 %5, 0, !dbg !84
  br i1 %6, label %7, label %16, !dbg !84

7:                                                ; preds = %1
  %8 = load i32, ptr @both, align 8, !dbg !86
  %9 = icmp eq i32 %8, 1, !dbg !89
  br i1 %9, label %10, label %14, !dbg !90

10:                                               ; preds = %7
  %11 = load i32, ptr getelementptr inbounds ([2 x i32], ptr @both, i64 0, i64 1), align 4, !dbg !91
  %12 = icmp eq i32 %11, 2, !dbg !92
  br i1 %12, label %13, label %14, !dbg !90

13:                                               ; preds = %10
  br label %15, !dbg !90

14:                                               ; preds = %10, %7
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 20, ptr noundef @__PRETTY_FUNCTION__.reader), !dbg !93
  unreachable, !dbg !93

15:                                               ; preds = %13
  br label %16, !dbg !94

16:                                               ; preds = %15, %1
  %17 = load ptr, ptr %2, align 8, !dbg !95
  ret ptr %17, !dbg !96
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!46, !47, !48, !49, !50, !51}
!llvm.ident = !{!52}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "both", scope: !2, file: !3, line: 9, type: !38, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "halves.c", directory: ".")
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
!15 = !{!0, !16, !21, !27, !32}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "flag", scope: !2, file: !3, line: 10, type: !18, isLocal: false, isDefinition: true)
!18 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !19)
!19 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !20)
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !23, isLocal: true, isDefinition: true)
!23 = !DICompositeType(tag: DW_TAG_array_type, baseType: !24, size: 312, elements: !25)
!24 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!25 = !{!26}
!26 = !DISubrange(count: 39)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !24, size: 72, elements: !30)
!30 = !{!31}
!31 = !DISubrange(count: 9)
!32 = !DIGlobalVariableExpression(var: !33, expr: !DIExpression())
!33 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !34, isLocal: true, isDefinition: true)
!34 = !DICompositeType(tag: DW_TAG_array_type, baseType: !35, size: 168, elements: !36)
!35 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !24)
!36 = !{!37}
!37 = !DISubrange(count: 21)
!38 = distinct !DICompositeType(tag: DW_TAG_union_type, name: "both", file: !3, line: 6, size: 64, elements: !39)
!39 = !{!40, !42}
!40 = !DIDerivedType(tag: DW_TAG_member, name: "whole", scope: !38, file: !3, line: 7, baseType: !41, size: 64)
!41 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!42 = !DIDerivedType(tag: DW_TAG_member, name: "half", scope: !38, file: !3, line: 8, baseType: !43, size: 64)
!43 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, size: 64, elements: !44)
!44 = !{!45}
!45 = !DISubrange(count: 2)
!46 = !{i32 7, !"Dwarf Version", i32 4}
!47 = !{i32 2, !"Debug Info Version", i32 3}
!48 = !{i32 1, !"wchar_size", i32 4}
!49 = !{i32 8, !"PIC Level", i32 2}
!50 = !{i32 7, !"uwtable", i32 2}
!51 = !{i32 7, !"frame-pointer", i32 2}
!52 = !{!"clang version 22.1.8"}
!53 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 24, type: !54, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !56)
!54 = !DISubroutineType(types: !55)
!55 = !{!20}
!56 = !{}
!57 = !DILocalVariable(name: "one", scope: !53, file: !3, line: 25, type: !58)
!58 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !59, line: 27, baseType: !60)
!59 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!60 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!61 = !DILocation(line: 25, column: 15, scope: !53)
!62 = !DILocalVariable(name: "two", scope: !53, file: !3, line: 25, type: !58)
!63 = !DILocation(line: 25, column: 20, scope: !53)
!64 = !DILocation(line: 26, column: 5, scope: !53)
!65 = !DILocation(line: 27, column: 5, scope: !53)
!66 = !DILocation(line: 28, column: 18, scope: !53)
!67 = !DILocation(line: 28, column: 5, scope: !53)
!68 = !DILocation(line: 29, column: 18, scope: !53)
!69 = !DILocation(line: 29, column: 5, scope: !53)
!70 = !DILocation(line: 30, column: 1, scope: !53)
!71 = distinct !DISubprogram(name: "writer", scope: !3, file: !3, line: 12, type: !72, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !56)
!72 = !DISubroutineType(types: !73)
!73 = !{!74, !74}
!74 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!75 = !DILocalVariable(name: "unused", arg: 1, scope: !71, file: !3, line: 12, type: !74)
!76 = !DILocation(line: 12, column: 27, scope: !71)
!77 = !DILocation(line: 13, column: 16, scope: !71)
!78 = !DILocation(line: 14, column: 5, scope: !71)
!79 = !DILocation(line: 15, column: 12, scope: !71)
!80 = !DILocation(line: 15, column: 5, scope: !71)
!81 = distinct !DISubprogram(name: "reader", scope: !3, file: !3, line: 18, type: !72, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !56)
!82 = !DILocalVariable(name: "unused", arg: 1, scope: !81, file: !3, line: 18, type: !74)
!83 = !DILocation(line: 18, column: 27, scope: !81)
!84 = !DILocation(line: 19, column: 9, scope: !85)
!85 = distinct !DILexicalBlock(scope: !81, file: !3, line: 19, column: 9)
!86 = !DILocation(line: 20, column: 16, scope: !87)
!87 = distinct !DILexicalBlock(scope: !88, file: !3, line: 20, column: 16)
!88 = distinct !DILexicalBlock(scope: !85, file: !3, line: 20, column: 9)
!89 = !DILocation(line: 20, column: 29, scope: !87)
!90 = !DILocation(line: 20, column: 34, scope: !87)
!91 = !DILocation(line: 20, column: 37, scope: !87)
!92 = !DILocation(line: 20, column: 50, scope: !87)
!93 = !DILocation(line: 20, column: 9, scope: !87)
!94 = !DILocation(line: 20, column: 9, scope: !85)
!95 = !DILocation(line: 21, column: 12, scope: !81)
!96 = !DILocation(line: 21, column: 5, scope: !81)
