target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.ring = type { i32, i32, [2 x i32] }

@ring = global %struct.ring zeroinitializer, align 4, !dbg !0
@.str = private unnamed_addr constant [29 x i8] c"ring.slots[head % SIZE] == i\00", align 1, !dbg !20
@.str.1 = private unnamed_addr constant [7 x i8] c"ring.c\00", align 1, !dbg !26
@__PRETTY_FUNCTION__.consumer = private unnamed_addr constant [23 x i8] c"void *consumer(void *)\00", align 1, !dbg !31

define i32 @main() !dbg !55 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !59, !DIExpression(), !63)
    #dbg_declare(ptr %2, !64, !DIExpression(), !65)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @producer, ptr noundef null), !dbg !66
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @consumer, ptr noundef null), !dbg !67
  %5 = load i64, ptr %1, align 8, !dbg !68
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !69
  %7 = load i64, ptr %2, align 8, !dbg !70
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !71
  ret i32 0, !dbg !72
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @producer(ptr noundef %0) !dbg !73 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !77, !DIExpression(), !78)
    #dbg_declare(ptr %3, !79, !DIExpression(), !80)
  store i32 0, ptr %3, align 4, !dbg !80
    #dbg_declare(ptr %4, !81, !DIExpression(), !83)
  store i32 1, ptr %4, align 4, !dbg !83
  br label %9, !dbg !84

9:                                                ; preds = %32, %1
  %10 = load i32, ptr %4, align 4, !dbg !85
  %11 = icmp sle i32 %10, 2, !dbg !87
  br i1 %11, label %12, label %35, !dbg !88

12:                                               ; preds = %9
    #dbg_declare(ptr %5, !89, !DIExpression(), !91)
  %13 = load atomic i32, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 1) monotonic, align 4, !dbg !92
  store i32 %13, ptr %6, align 4, !dbg !92
  %14 = load i32, ptr %6, align 4, !dbg !92
  store i32 %14, ptr %5, align 4, !dbg !91
  br label %15, !dbg !93

15:                                               ; preds = %20, %12
  %16 = load i32, ptr %5, align 4, !dbg !94
  %17 = load i32, ptr %3, align 4, !dbg !95
  %18 = sub nsw i32 %16, %17, !dbg !96
  %19 = icmp eq i32 %18, 2, !dbg !97
  br i1 %19, label %20, label %23, !dbg !93

20:                                               ; preds = %15
  %21 = load atomic i32, ptr @ring acquire, align 4, !dbg !98
  store i32 %21, ptr %7, align 4, !dbg !98
  %22 = load i32, ptr %7, align 4, !dbg !98
  store i32 %22, ptr %3, align 4, !dbg !99
  br label %15, !dbg !93, !llvm.loop !100

23:                                               ; preds = %15
  %24 = load i32, ptr %4, align 4, !dbg !103
  %25 = load i32, ptr %5, align 4, !dbg !104
  %26 = srem i32 %25, 2, !dbg !105
  %27 = sext i32 %26 to i64, !dbg !106
  %28 = getelementptr inbounds [2 x i32], ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 2), i64 0, i64 %27, !dbg !106
  store i32 %24, ptr %28, align 4, !dbg !107
  %29 = load i32, ptr %5, align 4, !dbg !108
  %30 = add nsw i32 %29, 1, !dbg !109
  store i32 %30, ptr %8, align 4, !dbg !110
  %31 = load i32, ptr %8, align 4, !dbg !110
  store atomic i32 %31, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 1) release, align 4, !dbg !110
  br label %32, !dbg !111

32:                                               ; preds = %23
  %33 = load i32, ptr %4, align 4, !dbg !112
  %34 = add nsw i32 %33, 1, !dbg !112
  store i32 %34, ptr %4, align 4, !dbg !112
  br label %9, !dbg !113, !llvm.loop !114

35:                                               ; preds = %9
  %36 = load ptr, ptr %2, align 8, !dbg !116
  ret ptr %36, !dbg !117
}

define internal ptr @consumer(ptr noundef %0) !dbg !118 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !119, !DIExpression(), !120)
    #dbg_declare(ptr %3, !121, !DIExpression(), !122)
  store i32 0, ptr %3, align 4, !dbg !122
    #dbg_declare(ptr %4, !123, !DIExpression(), !125)
  store i32 1, ptr %4, align 4, !dbg !125
  br label %9, !dbg !126

9:                                                ; preds = %36, %1
  %10 = load i32, ptr %4, align 4, !dbg !127
  %11 = icmp sle i32 %10, 2, !dbg !129
  br i1 %11, label %12, label %39, !dbg !130

12:                                               ; preds = %9
    #dbg_declare(ptr %5, !131, !DIExpression(), !133)
  %13 = load atomic i32, ptr @ring monotonic, align 4, !dbg !134
  store i32 %13, ptr %6, align 4, !dbg !134
  %14 = load i32, ptr %6, align 4, !dbg !134
  store i32 %14, ptr %5, align 4, !dbg !133
  br label %15, !dbg !135

15:                                               ; preds = %19, %12
  %16 = load i32, ptr %3, align 4, !dbg !136
  %17 = load i32, ptr %5, align 4, !dbg !137
  %18 = icmp eq i32 %16, %17, !dbg !138
  br i1 %18, label %19, label %22, !dbg !135

19:                                               ; preds = %15
  %20 = load atomic i32, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 1) acquire, align 4, !dbg !139
  store i32 %20, ptr %7, align 4, !dbg !139
  %21 = load i32, ptr %7, align 4, !dbg !139
  store i32 %21, ptr %3, align 4, !dbg !140
  br label %15, !dbg !135, !llvm.loop !141

22:                                               ; preds = %15
  %23 = load i32, ptr %5, align 4, !dbg !143
  %24 = srem i32 %23, 2, !dbg !146
  %25 = sext i32 %24 to i64, !dbg !147
  %26 = getelementptr inbounds [2 x i32], ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 2), i64 0, i64 %25, !dbg !147
  %27 = load i32, ptr %26, align 4, !dbg !147
  %28 = load i32, ptr %4, align 4, !dbg !148
  %29 = icmp eq i32 %27, %28, !dbg !149
  br i1 %29, label %30, label %31, !dbg !149

30:                                               ; preds = %22
  br label %32, !dbg !149

31:                                               ; preds = %22
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 30, ptr noundef @__PRETTY_FUNCTION__.consumer), !dbg !150
  unreachable, !dbg !150

32:                                               ; preds = %30
  %33 = load i32, ptr %5, align 4, !dbg !151
  %34 = add nsw i32 %33, 1, !dbg !152
  store i32 %34, ptr %8, align 4, !dbg !153
  %35 = load i32, ptr %8, align 4, !dbg !153
  store atomic i32 %35, ptr @ring release, align 4, !dbg !153
  br label %36, !dbg !154

36:                                               ; preds = %32
  %37 = load i32, ptr %4, align 4, !dbg !155
  %38 = add nsw i32 %37, 1, !dbg !155
  store i32 %38, ptr %4, align 4, !dbg !155
  br label %9, !dbg !156, !llvm.loop !157

39:                                               ; preds = %9
  %40 = load ptr, ptr %2, align 8, !dbg !159
  ret ptr %40, !dbg !160
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!48, !49, !50, !51, !52, !53}
!llvm.ident = !{!54}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "ring", scope: !2, file: !3, line: 10, type: !37, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !19, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "ring.c", directory: ".")
!4 = !{!5, !10}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, file: !3, line: 5, baseType: !6, size: 32, elements: !7)
!6 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!7 = !{!8, !9}
!8 = !DIEnumerator(name: "SIZE", value: 2)
!9 = !DIEnumerator(name: "VALUES", value: 2)
!10 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !11, line: 68, baseType: !6, size: 32, elements: !12)
!11 = !DIFile(filename: "/usr/lib/include/stdatomic.h", directory: "")
!12 = !{!13, !14, !15, !16, !17, !18}
!13 = !DIEnumerator(name: "memory_order_relaxed", value: 0)
!14 = !DIEnumerator(name: "memory_order_consume", value: 1)
!15 = !DIEnumerator(name: "memory_order_acquire", value: 2)
!16 = !DIEnumerator(name: "memory_order_release", value: 3)
!17 = !DIEnumerator(name: "memory_order_acq_rel", value: 4)
!18 = !DIEnumerator(name: "memory_order_seq_cst", value: 5)
!19 = !{!0, !20, !26, !31}
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(scope: null, file: !3, line: 30, type: !22, isLocal: true, isDefinition: true)
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !23, size: 232, elements: !24)
!23 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!24 = !{!25}
!25 = !DISubrange(count: 29)
!26 = !DIGlobalVariableExpression(var: !27, expr: !DIExpression())
!27 = distinct !DIGlobalVariable(scope: null, file: !3, line: 30, type: !28, isLocal: true, isDefinition: true)
!28 = !DICompositeType(tag: DW_TAG_array_type, baseType: !23, size: 56, elements: !29)
!29 = !{!30}
!30 = !DISubrange(count: 7)
!31 = !DIGlobalVariableExpression(var: !32, expr: !DIExpression())
!32 = distinct !DIGlobalVariable(scope: null, file: !3, line: 30, type: !33, isLocal: true, isDefinition: true)
!33 = !DICompositeType(tag: DW_TAG_array_type, baseType: !34, size: 184, elements: !35)
!34 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !23)
!35 = !{!36}
!36 = !DISubrange(count: 23)
!37 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "ring", file: !3, line: 7, size: 128, elements: !38)
!38 = !{!39, !43, !44}
!39 = !DIDerivedType(tag: DW_TAG_member, name: "head", scope: !37, file: !3, line: 8, baseType: !40, size: 32)
!40 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !11, line: 104, baseType: !41)
!41 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !42)
!42 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!43 = !DIDerivedType(tag: DW_TAG_member, name: "tail", scope: !37, file: !3, line: 8, baseType: !40, size: 32, offset: 32)
!44 = !DIDerivedType(tag: DW_TAG_member, name: "slots", scope: !37, file: !3, line: 9, baseType: !45, size: 64, offset: 64)
!45 = !DICompositeType(tag: DW_TAG_array_type, baseType: !42, size: 64, elements: !46)
!46 = !{!47}
!47 = !DISubrange(count: 2)
!48 = !{i32 7, !"Dwarf Version", i32 4}
!49 = !{i32 2, !"Debug Info Version", i32 3}
!50 = !{i32 1, !"wchar_size", i32 4}
!51 = !{i32 8, !"PIC Level", i32 2}
!52 = !{i32 7, !"uwtable", i32 2}
!53 = !{i32 7, !"frame-pointer", i32 2}
!54 = !{!"clang version 22.1.8"}
!55 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 36, type: !56, scopeLine: 36, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !58)
!56 = !DISubroutineType(types: !57)
!57 = !{!42}
!58 = !{}
!59 = !DILocalVariable(name: "one", scope: !55, file: !3, line: 37, type: !60)
!60 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !61, line: 27, baseType: !62)
!61 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!62 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!63 = !DILocation(line: 37, column: 15, scope: !55)
!64 = !DILocalVariable(name: "two", scope: !55, file: !3, line: 37, type: !60)
!65 = !DILocation(line: 37, column: 20, scope: !55)
!66 = !DILocation(line: 38, column: 5, scope: !55)
!67 = !DILocation(line: 39, column: 5, scope: !55)
!68 = !DILocation(line: 40, column: 18, scope: !55)
!69 = !DILocation(line: 40, column: 5, scope: !55)
!70 = !DILocation(line: 41, column: 18, scope: !55)
!71 = !DILocation(line: 41, column: 5, scope: !55)
!72 = !DILocation(line: 42, column: 1, scope: !55)
!73 = distinct !DISubprogram(name: "producer", scope: !3, file: !3, line: 12, type: !74, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !58)
!74 = !DISubroutineType(types: !75)
!75 = !{!76, !76}
!76 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!77 = !DILocalVariable(name: "unused", arg: 1, scope: !73, file: !3, line: 12, type: !76)
!78 = !DILocation(line: 12, column: 29, scope: !73)
!79 = !DILocalVariable(name: "head_seen", scope: !73, file: !3, line: 13, type: !42)
!80 = !DILocation(line: 13, column: 9, scope: !73)
!81 = !DILocalVariable(name: "i", scope: !82, file: !3, line: 14, type: !42)
!82 = distinct !DILexicalBlock(scope: !73, file: !3, line: 14, column: 5)
!83 = !DILocation(line: 14, column: 14, scope: !82)
!84 = !DILocation(line: 14, column: 10, scope: !82)
!85 = !DILocation(line: 14, column: 21, scope: !86)
!86 = distinct !DILexicalBlock(scope: !82, file: !3, line: 14, column: 5)
!87 = !DILocation(line: 14, column: 23, scope: !86)
!88 = !DILocation(line: 14, column: 5, scope: !82)
!89 = !DILocalVariable(name: "tail", scope: !90, file: !3, line: 15, type: !42)
!90 = distinct !DILexicalBlock(scope: !86, file: !3, line: 14, column: 39)
!91 = !DILocation(line: 15, column: 13, scope: !90)
!92 = !DILocation(line: 15, column: 20, scope: !90)
!93 = !DILocation(line: 16, column: 9, scope: !90)
!94 = !DILocation(line: 16, column: 16, scope: !90)
!95 = !DILocation(line: 16, column: 23, scope: !90)
!96 = !DILocation(line: 16, column: 21, scope: !90)
!97 = !DILocation(line: 16, column: 33, scope: !90)
!98 = !DILocation(line: 17, column: 25, scope: !90)
!99 = !DILocation(line: 17, column: 23, scope: !90)
!100 = distinct !{!100, !93, !101, !102}
!101 = !DILocation(line: 17, column: 78, scope: !90)
!102 = !{!"llvm.loop.mustprogress"}
!103 = !DILocation(line: 18, column: 35, scope: !90)
!104 = !DILocation(line: 18, column: 20, scope: !90)
!105 = !DILocation(line: 18, column: 25, scope: !90)
!106 = !DILocation(line: 18, column: 9, scope: !90)
!107 = !DILocation(line: 18, column: 33, scope: !90)
!108 = !DILocation(line: 19, column: 43, scope: !90)
!109 = !DILocation(line: 19, column: 48, scope: !90)
!110 = !DILocation(line: 19, column: 9, scope: !90)
!111 = !DILocation(line: 20, column: 5, scope: !90)
!112 = !DILocation(line: 14, column: 35, scope: !86)
!113 = !DILocation(line: 14, column: 5, scope: !86)
!114 = distinct !{!114, !88, !115, !102}
!115 = !DILocation(line: 20, column: 5, scope: !82)
!116 = !DILocation(line: 21, column: 12, scope: !73)
!117 = !DILocation(line: 21, column: 5, scope: !73)
!118 = distinct !DISubprogram(name: "consumer", scope: !3, file: !3, line: 24, type: !74, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !58)
!119 = !DILocalVariable(name: "unused", arg: 1, scope: !118, file: !3, line: 24, type: !76)
!120 = !DILocation(line: 24, column: 29, scope: !118)
!121 = !DILocalVariable(name: "tail_seen", scope: !118, file: !3, line: 25, type: !42)
!122 = !DILocation(line: 25, column: 9, scope: !118)
!123 = !DILocalVariable(name: "i", scope: !124, file: !3, line: 26, type: !42)
!124 = distinct !DILexicalBlock(scope: !118, file: !3, line: 26, column: 5)
!125 = !DILocation(line: 26, column: 14, scope: !124)
!126 = !DILocation(line: 26, column: 10, scope: !124)
!127 = !DILocation(line: 26, column: 21, scope: !128)
!128 = distinct !DILexicalBlock(scope: !124, file: !3, line: 26, column: 5)
!129 = !DILocation(line: 26, column: 23, scope: !128)
!130 = !DILocation(line: 26, column: 5, scope: !124)
!131 = !DILocalVariable(name: "head", scope: !132, file: !3, line: 27, type: !42)
!132 = distinct !DILexicalBlock(scope: !128, file: !3, line: 26, column: 39)
!133 = !DILocation(line: 27, column: 13, scope: !132)
!134 = !DILocation(line: 27, column: 20, scope: !132)
!135 = !DILocation(line: 28, column: 9, scope: !132)
!136 = !DILocation(line: 28, column: 16, scope: !132)
!137 = !DILocation(line: 28, column: 29, scope: !132)
!138 = !DILocation(line: 28, column: 26, scope: !132)
!139 = !DILocation(line: 29, column: 25, scope: !132)
!140 = !DILocation(line: 29, column: 23, scope: !132)
!141 = distinct !{!141, !135, !142, !102}
!142 = !DILocation(line: 29, column: 78, scope: !132)
!143 = !DILocation(line: 30, column: 27, scope: !144)
!144 = distinct !DILexicalBlock(scope: !145, file: !3, line: 30, column: 16)
!145 = distinct !DILexicalBlock(scope: !132, file: !3, line: 30, column: 9)
!146 = !DILocation(line: 30, column: 32, scope: !144)
!147 = !DILocation(line: 30, column: 16, scope: !144)
!148 = !DILocation(line: 30, column: 43, scope: !144)
!149 = !DILocation(line: 30, column: 40, scope: !144)
!150 = !DILocation(line: 30, column: 9, scope: !144)
!151 = !DILocation(line: 31, column: 43, scope: !132)
!152 = !DILocation(line: 31, column: 48, scope: !132)
!153 = !DILocation(line: 31, column: 9, scope: !132)
!154 = !DILocation(line: 32, column: 5, scope: !132)
!155 = !DILocation(line: 26, column: 35, scope: !128)
!156 = !DILocation(line: 26, column: 5, scope: !128)
!157 = distinct !{!157, !130, !158, !102}
!158 = !DILocation(line: 32, column: 5, scope: !124)
!159 = !DILocation(line: 33, column: 12, scope: !118)
!160 = !DILocation(line: 33, column: 5, scope: !118)
