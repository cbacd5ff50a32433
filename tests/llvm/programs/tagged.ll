target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.node = type { i32 }

@node = global %struct.node zeroinitializer, align 4, !dbg !0
@head = global i64 0, align 8, !dbg !25
@.str = private unnamed_addr constant [48 x i8] c"((struct node *)((found >> 8) ^ 1))->value == 5\00", align 1, !dbg !28
@.str.1 = private unnamed_addr constant [9 x i8] c"tagged.c\00", align 1, !dbg !34
@__PRETTY_FUNCTION__.reader = private unnamed_addr constant [21 x i8] c"void *reader(void *)\00", align 1, !dbg !39

define i32 @main() !dbg !52 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !56, !DIExpression(), !59)
    #dbg_declare(ptr %2, !60, !DIExpression(), !61)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @writer, ptr noundef null), !dbg !62
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @reader, ptr noundef null), !dbg !63
  %5 = load i64, ptr %1, align 8, !dbg !64
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !65
  %7 = load i64, ptr %2, align 8, !dbg !66
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !67
  ret i32 0, !dbg !68
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @writer(ptr noundef %0) !dbg !69 {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !73, !DIExpression(), !74)
  store i32 5, ptr @node, align 4, !dbg !75
  %4 = shl i64 xor (i64 ptrtoint (ptr @node to i64), i64 1), 8, !dbg !76
  store i64 %4, ptr %3, align 8, !dbg !77
  %5 = load i64, ptr %3, align 8, !dbg !77
  store atomic i64 %5, ptr @head release, align 8, !dbg !77
  %6 = load ptr, ptr %2, align 8, !dbg !78
  ret ptr %6, !dbg !79
}

define internal ptr @reader(ptr noundef %0) !dbg !80 {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !81, !DIExpression(), !82)
    #dbg_declare(ptr %3, !83, !DIExpression(), !84)
  %5 = load atomic i64, ptr @head acquire, align 8, !dbg !85
  store i64 %5, ptr %4, align 8, !dbg !85
  %6 = load i64, ptr %4, align 8, !dbg !85
  store i64 %6, ptr %3, align 8, !dbg !84
  %7 = load i64, ptr %3, align 8, !dbg !86
  %8 = icmp ne i64 %7, 0, !dbg !86
  br i1 %8, label %9, label %20, !dbg !86

9:                                                ; preds = %1
  %10 = load i64, ptr %3, align 8, !dbg !88
  %11 = lshr i64 %10, 8, !dbg !91
  %12 = xor i64 %11, 1, !dbg !92
  %13 = inttoptr i64 %12 to ptr, !dbg !93
  %14 = getelementptr inbounds nuw %struct.node, ptr %13, i32 0, i32 0, !dbg !94
  %15 = load i32, ptr %14, align 4, !dbg !94
  %16 = icmp eq i32 %15, 5, !dbg !95
  br i1 %16, label %17, label %18, !dbg !95

17:                                               ; preds = %9
  br label %19, !dbg !95

18:                                               ; preds = %9
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 20, ptr noundef @__PRETTY_FUNCTION__.reader), !dbg !96
  unreachable, !dbg !96

19:                                               ; preds = %17
  br label %20, !dbg !97

20:                                               ; preds = %19, %1
  %21 = load ptr, ptr %2, align 8, !dbg !98
  ret ptr %21, !dbg !99
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!45, !46, !47, !48, !49, !50}
!llvm.ident = !{!51}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "node", scope: !2, file: !3, line: 8, type: !20, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !24, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "tagged.c", directory: ".")
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
!15 = !{!16, !19}
!16 = !DIDerivedType(tag: DW_TAG_typedef, name: "uintptr_t", file: !17, line: 83, baseType: !18)
!17 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/stdint.h", directory: "")
!18 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!19 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20, size: 64)
!20 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 6, size: 32, elements: !21)
!21 = !{!22}
!22 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !20, file: !3, line: 7, baseType: !23, size: 32)
!23 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!24 = !{!0, !25, !28, !34, !39}
!25 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression())
!26 = distinct !DIGlobalVariable(name: "head", scope: !2, file: !3, line: 9, type: !27, isLocal: false, isDefinition: true)
!27 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !16)
!28 = !DIGlobalVariableExpression(var: !29, expr: !DIExpression())
!29 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !30, isLocal: true, isDefinition: true)
!30 = !DICompositeType(tag: DW_TAG_array_type, baseType: !31, size: 384, elements: !32)
!31 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!32 = !{!33}
!33 = !DISubrange(count: 48)
!34 = !DIGlobalVariableExpression(var: !35, expr: !DIExpression())
!35 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !36, isLocal: true, isDefinition: true)
!36 = !DICompositeType(tag: DW_TAG_array_type, baseType: !31, size: 72, elements: !37)
!37 = !{!38}
!38 = !DISubrange(count: 9)
!39 = !DIGlobalVariableExpression(var: !40, expr: !DIExpression())
!40 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !41, isLocal: true, isDefinition: true)
!41 = !DICompositeType(tag: DW_TAG_array_type, baseType: !42, size: 168, elements: !43)
!42 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !31)
!43 = !{!44}
!44 = !DISubrange(count: 21)
!45 = !{i32 7, !"Dwarf Version", i32 4}
!46 = !{i32 2, !"Debug Info Version", i32 3}
!47 = !{i32 1, !"wchar_size", i32 4}
!48 = !{i32 8, !"PIC Level", i32 2}
!49 = !{i32 7, !"uwtable", i32 2}
!50 = !{i32 7, !"frame-pointer", i32 2}
!51 = !{!"clang version 22.1.8"}
!52 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 24, type: !53, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !55)
!53 = !DISubroutineType(types: !54)
!54 = !{!23}
!55 = !{}
!56 = !DILocalVariable(name: "one", scope: !52, file: !3, line: 25, type: !57)
!57 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !58, line: 27, baseType: !18)
!58 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!59 = !DILocation(line: 25, column: 15, scope: !52)
!60 = !DILocalVariable(name: "two", scope: !52, file: !3, line: 25, type: !57)
!61 = !DILocation(line: 25, column: 20, scope: !52)
!62 = !DILocation(line: 26, column: 5, scope: !52)
!63 = !DILocation(line: 27, column: 5, scope: !52)
!64 = !DILocation(line: 28, column: 18, scope: !52)
!65 = !DILocation(line: 28, column: 5, scope: !52)
!66 = !DILocation(line: 29, column: 18, scope: !52)
!67 = !DILocation(line: 29, column: 5, scope: !52)
!68 = !DILocation(line: 30, column: 1, scope: !52)
!69 = distinct !DISubprogram(name: "writer", scope: !3, file: !3, line: 11, type: !70, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !55)
!70 = !DISubroutineType(types: !71)
!71 = !{!72, !72}
!72 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!73 = !DILocalVariable(name: "unused", arg: 1, scope: !69, file: !3, line: 11, type: !72)
!74 = !DILocation(line: 11, column: 27, scope: !69)
!75 = !DILocation(line: 12, column: 16, scope: !69)
!76 = !DILocation(line: 13, column: 57, scope: !69)
!77 = !DILocation(line: 13, column: 5, scope: !69)
!78 = !DILocation(line: 14, column: 12, scope: !69)
!79 = !DILocation(line: 14, column: 5, scope: !69)
!80 = distinct !DISubprogram(name: "reader", scope: !3, file: !3, line: 17, type: !70, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !55)
!81 = !DILocalVariable(name: "unused", arg: 1, scope: !80, file: !3, line: 17, type: !72)
!82 = !DILocation(line: 17, column: 27, scope: !80)
!83 = !DILocalVariable(name: "found", scope: !80, file: !3, line: 18, type: !16)
!84 = !DILocation(line: 18, column: 15, scope: !80)
!85 = !DILocation(line: 18, column: 23, scope: !80)
!86 = !DILocation(line: 19, column: 9, scope: !87)
!87 = distinct !DILexicalBlock(scope: !80, file: !3, line: 19, column: 9)
!88 = !DILocation(line: 20, column: 34, scope: !89)
!89 = distinct !DILexicalBlock(scope: !90, file: !3, line: 20, column: 16)
!90 = distinct !DILexicalBlock(scope: !87, file: !3, line: 20, column: 9)
!91 = !DILocation(line: 20, column: 40, scope: !89)
!92 = !DILocation(line: 20, column: 46, scope: !89)
!93 = !DILocation(line: 20, column: 17, scope: !89)
!94 = !DILocation(line: 20, column: 53, scope: !89)
!95 = !DILocation(line: 20, column: 59, scope: !89)
!96 = !DILocation(line: 20, column: 9, scope: !89)
!97 = !DILocation(line: 20, column: 9, scope: !87)
!98 = !DILocation(line: 21, column: 12, scope: !80)
!99 = !DILocation(line: 21, column: 5, scope: !80)
