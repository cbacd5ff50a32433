target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@seen = global [2 x i32] zeroinitializer, align 4, !dbg !0
@.str = private unnamed_addr constant [22 x i8] c"seen[0] + seen[1] > 0\00", align 1, !dbg !16
@.str.1 = private unnamed_addr constant [9 x i8] c"stores.c\00", align 1, !dbg !22
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !27
@x = global i32 0, align 4, !dbg !33
@y = global i32 0, align 4, !dbg !38

define i32 @main() !dbg !50 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !54, !DIExpression(), !58)
    #dbg_declare(ptr %2, !59, !DIExpression(), !60)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @left, ptr noundef null), !dbg !61
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @right, ptr noundef null), !dbg !62
  %5 = load i64, ptr %1, align 8, !dbg !63
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !64
  %7 = load i64, ptr %2, align 8, !dbg !65
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !66
  %9 = load i32, ptr @seen, align 4, !dbg !67
  %10 = load i32, ptr getelementptr inbounds ([2 x i32], ptr @seen, i64 0, i64 1), align 4, !dbg !70
  %11 = add nsw i32 %9, %10, !dbg !71
  %12 = icmp sgt i32 %11, 0, !dbg !72
  br i1 %12, label %13, label %14, !dbg !72

13:                                               ; preds = %0
  br label %15, !dbg !72

14:                                               ; preds = %0
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 26, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !73
  unreachable, !dbg !73

15:                                               ; preds = %13
  ret i32 0, !dbg !74
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @left(ptr noundef %0) !dbg !75 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !79, !DIExpression(), !80)
  store i32 1, ptr %3, align 4, !dbg !81
  %5 = load i32, ptr %3, align 4, !dbg !81
  store atomic i32 %5, ptr @x monotonic, align 4, !dbg !81
  %6 = load atomic i32, ptr @y monotonic, align 4, !dbg !82
  store i32 %6, ptr %4, align 4, !dbg !82
  %7 = load i32, ptr %4, align 4, !dbg !82
  store i32 %7, ptr @seen, align 4, !dbg !83
  %8 = load ptr, ptr %2, align 8, !dbg !84
  ret ptr %8, !dbg !85
}

define internal ptr @right(ptr noundef %0) !dbg !86 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !87, !DIExpression(), !88)
  store i32 1, ptr %3, align 4, !dbg !89
  %5 = load i32, ptr %3, align 4, !dbg !89
  store atomic i32 %5, ptr @y monotonic, align 4, !dbg !89
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
!llvm.module.flags = !{!43, !44, !45, !46, !47, !48}
!llvm.ident = !{!49}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "seen", scope: !2, file: !3, line: 6, type: !40, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "stores.c", directory: ".")
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
!15 = !{!16, !22, !27, !33, !38, !0}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 26, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 176, elements: !20)
!19 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!20 = !{!21}
!21 = !DISubrange(count: 22)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !3, line: 26, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 72, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 9)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 26, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 120, elements: !31)
!30 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!31 = !{!32}
!32 = !DISubrange(count: 15)
!33 = !DIGlobalVariableExpression(var: !34, expr: !DIExpression())
!34 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 5, type: !35, isLocal: false, isDefinition: true)
!35 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !36)
!36 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !37)
!37 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!38 = !DIGlobalVariableExpression(var: !39, expr: !DIExpression())
!39 = distinct !DIGlobalVariable(name: "y", scope: !2, file: !3, line: 5, type: !35, isLocal: false, isDefinition: true)
!40 = !DICompositeType(tag: DW_TAG_array_type, baseType: !37, size: 64, elements: !41)
!41 = !{!42}
!42 = !DISubrange(count: 2)
!43 = !{i32 7, !"Dwarf Version", i32 4}
!44 = !{i32 2, !"Debug Info Version", i32 3}
!45 = !{i32 1, !"wchar_size", i32 4}
!46 = !{i32 8, !"PIC Level", i32 2}
!47 = !{i32 7, !"uwtable", i32 2}
!48 = !{i32 7, !"frame-pointer", i32 2}
!49 = !{!"clang version 22.1.8"}
!50 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 20, type: !51, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !53)
!51 = !DISubroutineType(types: !52)
!52 = !{!37}
!53 = !{}
!54 = !DILocalVariable(name: "one", scope: !50, file: !3, line: 21, type: !55)
!55 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !56, line: 27, baseType: !57)
!56 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!57 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!58 = !DILocation(line: 21, column: 15, scope: !50)
!59 = !DILocalVariable(name: "two", scope: !50, file: !3, line: 21, type: !55)
!60 = !DILocation(line: 21, column: 20, scope: !50)
!61 = !DILocation(line: 22, column: 5, scope: !50)
!62 = !DILocation(line: 23, column: 5, scope: !50)
!63 = !DILocation(line: 24, column: 18, scope: !50)
!64 = !DILocation(line: 24, column: 5, scope: !50)
!65 = !DILocation(line: 25, column: 18, scope: !50)
!66 = !DILocation(line: 25, column: 5, scope: !50)
!67 = !DILocation(line: 26, column: 12, scope: !68)
!68 = distinct !DILexicalBlock(scope: !69, file: !3, line: 26, column: 12)
!69 = distinct !DILexicalBlock(scope: !50, file: !3, line: 26, column: 5)
!70 = !DILocation(line: 26, column: 22, scope: !68)
!71 = !DILocation(line: 26, column: 20, scope: !68)
!72 = !DILocation(line: 26, column: 30, scope: !68)
!73 = !DILocation(line: 26, column: 5, scope: !68)
!74 = !DILocation(line: 27, column: 1, scope: !50)
!75 = distinct !DISubprogram(name: "left", scope: !3, file: !3, line: 8, type: !76, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !53)
!76 = !DISubroutineType(types: !77)
!77 = !{!78, !78}
!78 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!79 = !DILocalVariable(name: "unused", arg: 1, scope: !75, file: !3, line: 8, type: !78)
!80 = !DILocation(line: 8, column: 25, scope: !75)
!81 = !DILocation(line: 9, column: 5, scope: !75)
!82 = !DILocation(line: 10, column: 15, scope: !75)
!83 = !DILocation(line: 10, column: 13, scope: !75)
!84 = !DILocation(line: 11, column: 12, scope: !75)
!85 = !DILocation(line: 11, column: 5, scope: !75)
!86 = distinct !DISubprogram(name: "right", scope: !3, file: !3, line: 14, type: !76, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !53)
!87 = !DILocalVariable(name: "unused", arg: 1, scope: !86, file: !3, line: 14, type: !78)
!88 = !DILocation(line: 14, column: 26, scope: !86)
!89 = !DILocation(line: 15, column: 5, scope: !86)
!90 = !DILocation(line: 16, column: 15, scope: !86)
!91 = !DILocation(line: 16, column: 13, scope: !86)
!92 = !DILocation(line: 17, column: 12, scope: !86)
!93 = !DILocation(line: 17, column: 5, scope: !86)
