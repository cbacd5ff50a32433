target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }
%union.pthread_cond_t = type { %struct.__pthread_cond_s }
%struct.__pthread_cond_s = type { %union.__atomic_wide_counter, %union.__atomic_wide_counter, [2 x i32], i32, i32, [2 x i32], i32, i32 }
%union.__atomic_wide_counter = type { i64 }

@mutex = global %union.pthread_mutex_t zeroinitializer, align 8, !dbg !0
@filled = global %union.pthread_cond_t zeroinitializer, align 8, !dbg !7
@box = global i32 0, align 4, !dbg !47
@.str = private unnamed_addr constant [9 x i8] c"box == 7\00", align 1, !dbg !50
@.str.1 = private unnamed_addr constant [12 x i8] c"condition.c\00", align 1, !dbg !55
@__PRETTY_FUNCTION__.consumer = private unnamed_addr constant [23 x i8] c"void *consumer(void *)\00", align 1, !dbg !60

define i32 @main() !dbg !101 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !105, !DIExpression(), !108)
    #dbg_declare(ptr %2, !109, !DIExpression(), !110)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @producer, ptr noundef null), !dbg !111
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @consumer, ptr noundef null), !dbg !112
  %5 = load i64, ptr %1, align 8, !dbg !113
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !114
  %7 = load i64, ptr %2, align 8, !dbg !115
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !116
  ret i32 0, !dbg !117
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @producer(ptr noundef %0) !dbg !118 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !121, !DIExpression(), !122)
  %3 = call i32 @pthread_mutex_lock(ptr noundef @mutex), !dbg !123
  store i32 7, ptr @box, align 4, !dbg !124
  %4 = call i32 @pthread_cond_signal(ptr noundef @filled), !dbg !125
  %5 = call i32 @pthread_mutex_unlock(ptr noundef @mutex), !dbg !126
  %6 = load ptr, ptr %2, align 8, !dbg !127
  ret ptr %6, !dbg !128
}

define internal ptr @consumer(ptr noundef %0) !dbg !129 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !130, !DIExpression(), !131)
  %3 = call i32 @pthread_mutex_lock(ptr noundef @mutex), !dbg !132
  br label %4, !dbg !133

4:                                                ; preds = %7, %1
  %5 = load i32, ptr @box, align 4, !dbg !134
  %6 = icmp eq i32 %5, 0, !dbg !135
  br i1 %6, label %7, label %9, !dbg !133

7:                                                ; preds = %4
  %8 = call i32 @pthread_cond_wait(ptr noundef @filled, ptr noundef @mutex), !dbg !136
  br label %4, !dbg !133, !llvm.loop !137

9:                                                ; preds = %4
  %10 = load i32, ptr @box, align 4, !dbg !140
  %11 = icmp eq i32 %10, 7, !dbg !143
  br i1 %11, label %12, label %13, !dbg !143

12:                                               ; preds = %9
  br label %14, !dbg !143

13:                                               ; preds = %9
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 20, ptr noundef @__PRETTY_FUNCTION__.consumer), !dbg !144
  unreachable, !dbg !144

14:                                               ; preds = %12
  %15 = call i32 @pthread_mutex_unlock(ptr noundef @mutex), !dbg !145
  %16 = load ptr, ptr %2, align 8, !dbg !146
  ret ptr %16, !dbg !147
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare i32 @pthread_mutex_lock(ptr noundef)

declare i32 @pthread_cond_signal(ptr noundef)

declare i32 @pthread_mutex_unlock(ptr noundef)

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!94, !95, !96, !97, !98, !99}
!llvm.ident = !{!100}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "mutex", scope: !2, file: !3, line: 4, type: !66, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "condition.c", directory: ".")
!4 = !{!5}
!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!6 = !{!0, !7, !47, !50, !55, !60}
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "filled", scope: !2, file: !3, line: 5, type: !9, isLocal: false, isDefinition: true)
!9 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_cond_t", file: !10, line: 80, baseType: !11)
!10 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!11 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !10, line: 75, size: 384, elements: !12)
!12 = !{!13, !40, !45}
!13 = !DIDerivedType(tag: DW_TAG_member, name: "__data", scope: !11, file: !10, line: 77, baseType: !14, size: 384)
!14 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_cond_s", file: !15, line: 94, size: 384, elements: !16)
!15 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/thread-shared-types.h", directory: "")
!16 = !{!17, !30, !31, !35, !36, !37, !38, !39}
!17 = !DIDerivedType(tag: DW_TAG_member, name: "__wseq", scope: !14, file: !15, line: 96, baseType: !18, size: 64)
!18 = !DIDerivedType(tag: DW_TAG_typedef, name: "__atomic_wide_counter", file: !19, line: 33, baseType: !20)
!19 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/atomic_wide_counter.h", directory: "")
!20 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !19, line: 25, size: 64, elements: !21)
!21 = !{!22, !24}
!22 = !DIDerivedType(tag: DW_TAG_member, name: "__value64", scope: !20, file: !19, line: 27, baseType: !23, size: 64)
!23 = !DIBasicType(name: "unsigned long long", size: 64, encoding: DW_ATE_unsigned)
!24 = !DIDerivedType(tag: DW_TAG_member, name: "__value32", scope: !20, file: !19, line: 32, baseType: !25, size: 64)
!25 = distinct !DICompositeType(tag: DW_TAG_structure_type, scope: !20, file: !19, line: 28, size: 64, elements: !26)
!26 = !{!27, !29}
!27 = !DIDerivedType(tag: DW_TAG_member, name: "__low", scope: !25, file: !19, line: 30, baseType: !28, size: 32)
!28 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!29 = !DIDerivedType(tag: DW_TAG_member, name: "__high", scope: !25, file: !19, line: 31, baseType: !28, size: 32, offset: 32)
!30 = !DIDerivedType(tag: DW_TAG_member, name: "__g1_start", scope: !14, file: !15, line: 97, baseType: !18, size: 64, offset: 64)
!31 = !DIDerivedType(tag: DW_TAG_member, name: "__g_size", scope: !14, file: !15, line: 98, baseType: !32, size: 64, offset: 128)
!32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !28, size: 64, elements: !33)
!33 = !{!34}
!34 = !DISubrange(count: 2)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "__g1_orig_size", scope: !14, file: !15, line: 99, baseType: !28, size: 32, offset: 192)
!36 = !DIDerivedType(tag: DW_TAG_member, name: "__wrefs", scope: !14, file: !15, line: 100, baseType: !28, size: 32, offset: 224)
!37 = !DIDerivedType(tag: DW_TAG_member, name: "__g_signals", scope: !14, file: !15, line: 101, baseType: !32, size: 64, offset: 256)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "__unused_initialized_1", scope: !14, file: !15, line: 102, baseType: !28, size: 32, offset: 320)
!39 = !DIDerivedType(tag: DW_TAG_member, name: "__unused_initialized_2", scope: !14, file: !15, line: 103, baseType: !28, size: 32, offset: 352)
!40 = !DIDerivedType(tag: DW_TAG_member, name: "__size", scope: !11, file: !10, line: 78, baseType: !41, size: 384)
!41 = !DICompositeType(tag: DW_TAG_array_type, baseType: !42, size: 384, elements: !43)
!42 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!43 = !{!44}
!44 = !DISubrange(count: 48)
!45 = !DIDerivedType(tag: DW_TAG_member, name: "__align", scope: !11, file: !10, line: 79, baseType: !46, size: 64)
!46 = !DIBasicType(name: "long long", size: 64, encoding: DW_ATE_signed)
!47 = !DIGlobalVariableExpression(var: !48, expr: !DIExpression())
!48 = distinct !DIGlobalVariable(name: "box", scope: !2, file: !3, line: 6, type: !49, isLocal: false, isDefinition: true)
!49 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!50 = !DIGlobalVariableExpression(var: !51, expr: !DIExpression())
!51 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !52, isLocal: true, isDefinition: true)
!52 = !DICompositeType(tag: DW_TAG_array_type, baseType: !42, size: 72, elements: !53)
!53 = !{!54}
!54 = !DISubrange(count: 9)
!55 = !DIGlobalVariableExpression(var: !56, expr: !DIExpression())
!56 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !57, isLocal: true, isDefinition: true)
!57 = !DICompositeType(tag: DW_TAG_array_type, baseType: !42, size: 96, elements: !58)
!58 = !{!59}
!59 = !DISubrange(count: 12)
!60 = !DIGlobalVariableExpression(var: !61, expr: !DIExpression())
!61 = distinct !DIGlobalVariable(scope: null, file: !3, line: 20, type: !62, isLocal: true, isDefinition: true)
!62 = !DICompositeType(tag: DW_TAG_array_type, baseType: !63, size: 184, elements: !64)
!63 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !42)
!64 = !{!65}
!65 = !DISubrange(count: 23)
!66 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_mutex_t", file: !10, line: 72, baseType: !67)
!67 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !10, line: 67, size: 320, elements: !68)
!68 = !{!69, !88, !92}
!69 = !DIDerivedType(tag: DW_TAG_member, name: "__data", scope: !67, file: !10, line: 69, baseType: !70, size: 320)
!70 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_mutex_s", file: !71, line: 22, size: 320, elements: !72)
!71 = !DIFile(filename: "/usr/lib/libc/include/x86-linux-gnu/bits/struct_mutex.h", directory: "")
!72 = !{!73, !74, !75, !76, !77, !78, !80, !81}
!73 = !DIDerivedType(tag: DW_TAG_member, name: "__lock", scope: !70, file: !71, line: 24, baseType: !49, size: 32)
!74 = !DIDerivedType(tag: DW_TAG_member, name: "__count", scope: !70, file: !71, line: 25, baseType: !28, size: 32, offset: 32)
!75 = !DIDerivedType(tag: DW_TAG_member, name: "__owner", scope: !70, file: !71, line: 26, baseType: !49, size: 32, offset: 64)
!76 = !DIDerivedType(tag: DW_TAG_member, name: "__nusers", scope: !70, file: !71, line: 28, baseType: !28, size: 32, offset: 96)
!77 = !DIDerivedType(tag: DW_TAG_member, name: "__kind", scope: !70, file: !71, line: 32, baseType: !49, size: 32, offset: 128)
!78 = !DIDerivedType(tag: DW_TAG_member, name: "__spins", scope: !70, file: !71, line: 34, baseType: !79, size: 16, offset: 160)
!79 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!80 = !DIDerivedType(tag: DW_TAG_member, name: "__glibc_reserved", scope: !70, file: !71, line: 35, baseType: !79, size: 16, offset: 176)
!81 = !DIDerivedType(tag: DW_TAG_member, name: "__list", scope: !70, file: !71, line: 36, baseType: !82, size: 128, offset: 192)
!82 = !DIDerivedType(tag: DW_TAG_typedef, name: "__pthread_list_t", file: !15, line: 55, baseType: !83)
!83 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_internal_list", file: !15, line: 51, size: 128, elements: !84)
!84 = !{!85, !87}
!85 = !DIDerivedType(tag: DW_TAG_member, name: "__prev", scope: !83, file: !15, line: 53, baseType: !86, size: 64)
!86 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !83, size: 64)
!87 = !DIDerivedType(tag: DW_TAG_member, name: "__next", scope: !83, file: !15, line: 54, baseType: !86, size: 64, offset: 64)
!88 = !DIDerivedType(tag: DW_TAG_member, name: "__size", scope: !67, file: !10, line: 70, baseType: !89, size: 320)
!89 = !DICompositeType(tag: DW_TAG_array_type, baseType: !42, size: 320, elements: !90)
!90 = !{!91}
!91 = !DISubrange(count: 40)
!92 = !DIDerivedType(tag: DW_TAG_member, name: "__align", scope: !67, file: !10, line: 71, baseType: !93, size: 64)
!93 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!94 = !{i32 7, !"Dwarf Version", i32 4}
!95 = !{i32 2, !"Debug Info Version", i32 3}
!96 = !{i32 1, !"wchar_size", i32 4}
!97 = !{i32 8, !"PIC Level", i32 2}
!98 = !{i32 7, !"uwtable", i32 2}
!99 = !{i32 7, !"frame-pointer", i32 2}
!100 = !{!"clang version 22.1.8"}
!101 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 25, type: !102, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !104)
!102 = !DISubroutineType(types: !103)
!103 = !{!49}
!104 = !{}
!105 = !DILocalVariable(name: "one", scope: !101, file: !3, line: 26, type: !106)
!106 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !10, line: 27, baseType: !107)
!107 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!108 = !DILocation(line: 26, column: 15, scope: !101)
!109 = !DILocalVariable(name: "two", scope: !101, file: !3, line: 26, type: !106)
!110 = !DILocation(line: 26, column: 20, scope: !101)
!111 = !DILocation(line: 27, column: 5, scope: !101)
!112 = !DILocation(line: 28, column: 5, scope: !101)
!113 = !DILocation(line: 29, column: 18, scope: !101)
!114 = !DILocation(line: 29, column: 5, scope: !101)
!115 = !DILocation(line: 30, column: 18, scope: !101)
!116 = !DILocation(line: 30, column: 5, scope: !101)
!117 = !DILocation(line: 31, column: 1, scope: !101)
!118 = distinct !DISubprogram(name: "producer", scope: !3, file: !3, line: 8, type: !119, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !104)
!119 = !DISubroutineType(types: !120)
!120 = !{!5, !5}
!121 = !DILocalVariable(name: "unused", arg: 1, scope: !118, file: !3, line: 8, type: !5)
!122 = !DILocation(line: 8, column: 29, scope: !118)
!123 = !DILocation(line: 9, column: 5, scope: !118)
!124 = !DILocation(line: 10, column: 9, scope: !118)
!125 = !DILocation(line: 11, column: 5, scope: !118)
!126 = !DILocation(line: 12, column: 5, scope: !118)
!127 = !DILocation(line: 13, column: 12, scope: !118)
!128 = !DILocation(line: 13, column: 5, scope: !118)
!129 = distinct !DISubprogram(name: "consumer", scope: !3, file: !3, line: 16, type: !119, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !104)
!130 = !DILocalVariable(name: "unused", arg: 1, scope: !129, file: !3, line: 16, type: !5)
!131 = !DILocation(line: 16, column: 29, scope: !129)
!132 = !DILocation(line: 17, column: 5, scope: !129)
!133 = !DILocation(line: 18, column: 5, scope: !129)
!134 = !DILocation(line: 18, column: 12, scope: !129)
!135 = !DILocation(line: 18, column: 16, scope: !129)
!136 = !DILocation(line: 19, column: 9, scope: !129)
!137 = distinct !{!137, !133, !138, !139}
!138 = !DILocation(line: 19, column: 42, scope: !129)
!139 = !{!"llvm.loop.mustprogress"}
!140 = !DILocation(line: 20, column: 12, scope: !141)
!141 = distinct !DILexicalBlock(scope: !142, file: !3, line: 20, column: 12)
!142 = distinct !DILexicalBlock(scope: !129, file: !3, line: 20, column: 5)
!143 = !DILocation(line: 20, column: 16, scope: !141)
!144 = !DILocation(line: 20, column: 5, scope: !141)
!145 = !DILocation(line: 21, column: 5, scope: !129)
!146 = !DILocation(line: 22, column: 12, scope: !129)
!147 = !DILocation(line: 22, column: 5, scope: !129)
