target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@seen = global [2 x i32] zeroinitializer, align 4, !dbg !0
@.str = private unnamed_addr constant [22 x i8] c"seen[0] + seen[1] > 0\00", align 1, !dbg !16
@.str.1 = private unnamed_addr constant [15 x i8] c"signal_fence.c\00", align 1, !dbg !22
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !27
@x = global i32 0, align 4, !dbg !31
@y = global i32 0, align 4, !dbg !36

define i32 @main() !dbg !48 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !52, !DIExpression(), !56)
    #dbg_declare(ptr %2, !57, !DIExpression(), !58)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @left, ptr noundef null), !dbg !59
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @right, ptr noundef null), !dbg !60
  %5 = load i64, ptr %1, align 8, !dbg !61
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !62
  %7 = load i64, ptr %2, align 8, !dbg !63
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !64
  %9 = load i32, ptr @seen, align 4, !dbg !65
  %10 = load i32, ptr getelementptr inbounds ([2 x i32], ptr @seen, i64 0, i64 1), align 4, !dbg !68
  %11 = add nsw i32 %9, %10, !dbg !69
  %12 = icmp sgt i32 %11, 0, !dbg !70
  br i1 %12, label %13, label %14, !dbg !70

13:                                               ; preds = %0
  br label %15, !dbg !70

14:                                               ; preds = %0
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 29, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !71
  unreachable, !dbg !71

15:                                               ; preds = %13
  ret i32 0, !dbg !72
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @left(ptr noundef %0) !dbg !73 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !77, !DIExpression(), !78)
  store i32 1, ptr %3, align 4, !dbg !79
  %5 = load i32, ptr %3, align 4, !dbg !79
  store atomic i32 %5, ptr @x monotonic, align 4, !dbg !79
  fence syncscope("singlethread") seq_cst, !dbg !80
  %6 = load atomic i32, ptr @y monotonic, align 4, !dbg !81
  store i32 %6, ptr %4, align 4, !dbg !81
  %7 = load i32, ptr %4, align 4, !dbg !81
  store i32 %7, ptr @seen, align 4, !dbg !82
  %8 = load ptr, ptr %2, align 8, !dbg !83
  ret ptr %8, !dbg !84
}

define internal ptr @right(ptr noundef %0) !dbg !85 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !86, !DIExpression(), !87)
  store i32 1, ptr %3, align 4, !dbg !88
  %5 = load i32, ptr %3, align 4, !dbg !88
  store atomic i32 %5, ptr @y monotonic, align 4, !dbg !88
  fence seq_cst, !dbg !89
  %6 = load atomic i32, ptr @x monotonic, align 4, !dbg !90
  store i32 %6, ptr %4, align 4, !dbg !90
  %7 = load i32, ptr %4, align 4, !dbg !90
  store i32 %7, ptr getelementptr inbounds ([2 x i32], ptr @seen, i64 0, i64 1), align 4, !dbg !91
  %8 = load ptr, ptr %2, align 8, !dbg !92
  ret ptr %8, !dbg !93
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!41, !42, !43, !44, !45, !46}
!llvm.ident = !{!47}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "seen", scope: !2, file: !3, line: 7, type: !38, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "signal_fence.c", directory: ".")
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
!15 = !{!16, !22, !27, !31, !36, !0}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 29, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 176, elements: !20)
!19 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!20 = !{!21}
!21 = !DISubrange(count: 22)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !3, line: 29, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 120, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 15)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 29, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 120, elements: !25)
!30 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!31 = !DIGlobalVariableExpression(var: !32, expr: !DIExpression())
!32 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 6, type: !33, isLocal: false, isDefinition: true)
!33 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !34)
!34 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !35)
!35 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!36 = !DIGlobalVariableExpression(var: !37, expr: !DIExpression())
!37 = distinct !DIGlobalVariable(name: "y", scope: !2, file: !3, line: 6, type: !33, isLocal: false, isDefinition: true)
!38 = !DICompositeType(tag: DW_TAG_array_type, baseType: !35, size: 64, elements: !39)
!39 = !{!40}
!40 = !DISubrange(count: 2)
!41 = !{i32 7, !"Dwarf Version", i32 4}
!42 = !{i32 2, !"Debug Info Version", i32 3}
!43 = !{i32 1, !"wchar_size", i32 4}
!44 = !{i32 8, !"PIC Level", i32 2}
!45 = !{i32 7, !"uwtable", i32 2}
!46 = !{i32 7, !"frame-pointer", i32 2}
!47 = !{!"clang version 22.1.8"}
!48 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 23, type: !49, scopeLine: 23, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !51)
!49 = !DISubroutineType(types: !50)
!50 = !{!35}
!51 = !{}
!52 = !DILocalVariable(name: "one", scope: !48, file: !3, line: 24, type: !53)
!53 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !54, line: 27, baseType: !55)
!54 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!55 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!56 = !DILocation(line: 24, column: 15, scope: !48)
!57 = !DILocalVariable(name: "two", scope: !48, file: !3, line: 24, type: !53)
!58 = !DILocation(line: 24, column: 20, scope: !48)
!59 = !DILocation(line: 25, column: 5, scope: !48)
!60 = !DILocation(line: 26, column: 5, scope: !48)
!61 = !DILocation(line: 27, column: 18, scope: !48)
!62 = !DILocation(line: 27, column: 5, scope: !48)
!63 = !DILocation(line: 28, column: 18, scope: !48)
!64 = !DILocation(line: 28, column: 5, scope: !48)
!65 = !DILocation(line: 29, column: 12, scope: !66)
!66 = distinct !DILexicalBlock(scope: !67, file: !3, line: 29, column: 12)
!67 = distinct !DILexicalBlock(scope: !48, file: !3, line: 29, column: 5)
!68 = !DILocation(line: 29, column: 22, scope: !66)
!69 = !DILocation(line: 29, column: 20, scope: !66)
!70 = !DILocation(line: 29, column: 30, scope: !66)
!71 = !DILocation(line: 29, column: 5, scope: !66)
!72 = !DILocation(line: 30, column: 1, scope: !48)
!73 = distinct !DISubprogram(name: "left", scope: !3, file: !3, line: 9, type: !74, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !51)
!74 = !DISubroutineType(types: !75)
!75 = !{!76, !76}
!76 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!77 = !DILocalVariable(name: "unused", arg: 1, scope: !73, file: !3, line: 9, type: !76)
!78 = !DILocation(line: 9, column: 25, scope: !73)
!79 = !DILocation(line: 10, column: 5, scope: !73)
!80 = !DILocation(line: 11, column: 5, scope: !73)
!81 = !DILocation(line: 12, column: 15, scope: !73)
!82 = !DILocation(line: 12, column: 13, scope: !73)
!83 = !DILocation(line: 13, column: 12, scope: !73)
!84 = !DILocation(line: 13, column: 5, scope: !73)
!85 = distinct !DISubprogram(name: "right", scope: !3, file: !3, line: 16, type: !74, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !51)
!86 = !DILocalVariable(name: "unused", arg: 1, scope: !85, file: !3, line: 16, type: !76)
!87 = !DILocation(line: 16, column: 26, scope: !85)
!88 = !DILocation(line: 17, column: 5, scope: !85)
!89 = !DILocation(line: 18, column: 5, scope: !85)
!90 = !DILocation(line: 19, column: 15, scope: !85)
!91 = !DILocation(line: 19, column: 13, scope: !85)
!92 = !DILocation(line: 20, column: 12, scope: !85)
!93 = !DILocation(line: 20, column: 5, scope: !85)
