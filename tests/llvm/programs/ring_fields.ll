target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.ring = type { i32, i32, i32, i32, [2 x i32] }

@ring = global %struct.ring zeroinitializer, align 4, !dbg !0
@.str = private unnamed_addr constant [29 x i8] c"ring.slots[head % SIZE] == i\00", align 1, !dbg !20
@.str.1 = private unnamed_addr constant [14 x i8] c"ring_fields.c\00", align 1, !dbg !26
@__PRETTY_FUNCTION__.consumer = private unnamed_addr constant [23 x i8] c"void *consumer(void *)\00", align 1, !dbg !31

define i32 @main() !dbg !57 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !61, !DIExpression(), !65)
    #dbg_declare(ptr %2, !66, !DIExpression(), !67)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @producer, ptr noundef null), !dbg !68
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @consumer, ptr noundef null), !dbg !69
  %5 = load i64, ptr %1, align 8, !dbg !70
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !71
  %7 = load i64, ptr %2, align 8, !dbg !72
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !73
  ret i32 0, !dbg !74
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @producer(ptr noundef %0) !dbg !75 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !79, !DIExpression(), !80)
    #dbg_declare(ptr %3, !81, !DIExpression(), !83)
  store i32 1, ptr %3, align 4, !dbg !83
  br label %8, !dbg !84

8:                                                ; preds = %31, %1
  %9 = load i32, ptr %3, align 4, !dbg !85
  %10 = icmp sle i32 %9, 2, !dbg !87
  br i1 %10, label %11, label %34, !dbg !88

11:                                               ; preds = %8
    #dbg_declare(ptr %4, !89, !DIExpression(), !91)
  %12 = load atomic i32, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 1) monotonic, align 4, !dbg !92
  store i32 %12, ptr %5, align 4, !dbg !92
  %13 = load i32, ptr %5, align 4, !dbg !92
  store i32 %13, ptr %4, align 4, !dbg !91
  br label %14, !dbg !93

14:                                               ; preds = %19, %11
  %15 = load i32, ptr %4, align 4, !dbg !94
  %16 = load i32, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 2), align 4, !dbg !95
  %17 = sub nsw i32 %15, %16, !dbg !96
  %18 = icmp eq i32 %17, 2, !dbg !97
  br i1 %18, label %19, label %22, !dbg !93

19:                                               ; preds = %14
  %20 = load atomic i32, ptr @ring acquire, align 4, !dbg !98
  store i32 %20, ptr %6, align 4, !dbg !98
  %21 = load i32, ptr %6, align 4, !dbg !98
  store i32 %21, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 2), align 4, !dbg !99
  br label %14, !dbg !93, !llvm.loop !100

22:                                               ; preds = %14
  %23 = load i32, ptr %3, align 4, !dbg !103
  %24 = load i32, ptr %4, align 4, !dbg !104
  %25 = srem i32 %24, 2, !dbg !105
  %26 = sext i32 %25 to i64, !dbg !106
  %27 = getelementptr inbounds [2 x i32], ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 4), i64 0, i64 %26, !dbg !106
  store i32 %23, ptr %27, align 4, !dbg !107
  %28 = load i32, ptr %4, align 4, !dbg !108
  %29 = add nsw i32 %28, 1, !dbg !109
  store i32 %29, ptr %7, align 4, !dbg !110
  %30 = load i32, ptr %7, align 4, !dbg !110
  store atomic i32 %30, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 1) release, align 4, !dbg !110
  br label %31, !dbg !111

31:                                               ; preds = %22
  %32 = load i32, ptr %3, align 4, !dbg !112
  %33 = add nsw i32 %32, 1, !dbg !112
  store i32 %33, ptr %3, align 4, !dbg !112
  br label %8, !dbg !113, !llvm.loop !114

34:                                               ; preds = %8
  %35 = load ptr, ptr %2, align 8, !dbg !116
  ret ptr %35, !dbg !117
}

define internal ptr @consumer(ptr noundef %0) !dbg !118 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !119, !DIExpression(), !120)
    #dbg_declare(ptr %3, !121, !DIExpression(), !123)
  store i32 1, ptr %3, align 4, !dbg !123
  br label %8, !dbg !124

8:                                                ; preds = %35, %1
  %9 = load i32, ptr %3, align 4, !dbg !125
  %10 = icmp sle i32 %9, 2, !dbg !127
  br i1 %10, label %11, label %38, !dbg !128

11:                                               ; preds = %8
    #dbg_declare(ptr %4, !129, !DIExpression(), !131)
  %12 = load atomic i32, ptr @ring monotonic, align 4, !dbg !132
  store i32 %12, ptr %5, align 4, !dbg !132
  %13 = load i32, ptr %5, align 4, !dbg !132
  store i32 %13, ptr %4, align 4, !dbg !131
  br label %14, !dbg !133

14:                                               ; preds = %18, %11
  %15 = load i32, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 3), align 4, !dbg !134
  %16 = load i32, ptr %4, align 4, !dbg !135
  %17 = icmp eq i32 %15, %16, !dbg !136
  br i1 %17, label %18, label %21, !dbg !133

18:                                               ; preds = %14
  %19 = load atomic i32, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 1) acquire, align 4, !dbg !137
  store i32 %19, ptr %6, align 4, !dbg !137
  %20 = load i32, ptr %6, align 4, !dbg !137
  store i32 %20, ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 3), align 4, !dbg !138
  br label %14, !dbg !133, !llvm.loop !139

21:                                               ; preds = %14
  %22 = load i32, ptr %4, align 4, !dbg !141
  %23 = srem i32 %22, 2, !dbg !144
  %24 = sext i32 %23 to i64, !dbg !145
  %25 = getelementptr inbounds [2 x i32], ptr getelementptr inbounds nuw (%struct.ring, ptr @ring, i32 0, i32 4), i64 0, i64 %24, !dbg !145
  %26 = load i32, ptr %25, align 4, !dbg !145
  %27 = load i32, ptr %3, align 4, !dbg !146
  %28 = icmp eq i32 %26, %27, !dbg !147
  br i1 %28, label %29, label %30, !dbg !147

29:                                               ; preds = %21
  br label %31, !dbg !147

30:                                               ; preds = %21
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 29, ptr noundef @__PRETTY_FUNCTION__.consumer), !dbg !148
  unreachable, !dbg !148

31:                                               ; preds = %29
  %32 = load i32, ptr %4, align 4, !dbg !149
  %33 = add nsw i32 %32, 1, !dbg !150
  store i32 %33, ptr %7, align 4, !dbg !151
  %34 = load i32, ptr %7, align 4, !dbg !151
  store atomic i32 %34, ptr @ring release, align 4, !dbg !151
  br label %35, !dbg !152

35:                                               ; preds = %31
  %36 = load i32, ptr %3, align 4, !dbg !153
  %37 = add nsw i32 %36, 1, !dbg !153
  store i32 %37, ptr %3, align 4, !dbg !153
  br label %8, !dbg !154, !llvm.loop !155

38:                                               ; preds = %8
  %39 = load ptr, ptr %2, align 8, !dbg !157
  ret ptr %39, !dbg !158
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!50, !51, !52, !53, !54, !55}
!llvm.ident = !{!56}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "ring", scope: !2, file: !3, line: 11, type: !37, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !19, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "ring_fields.c", directory: ".")
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
!21 = distinct !DIGlobalVariable(scope: null, file: !3, line: 29, type: !22, isLocal: true, isDefinition: true)
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !23, size: 232, elements: !24)
!23 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!24 = !{!25}
!25 = !DISubrange(count: 29)
!26 = !DIGlobalVariableExpression(var: !27, expr: !DIExpression())
!27 = distinct !DIGlobalVariable(scope: null, file: !3, line: 29, type: !28, isLocal: true, isDefinition: true)
!28 = !DICompositeType(tag: DW_TAG_array_type, baseType: !23, size: 112, elements: !29)
!29 = !{!30}
!30 = !DISubrange(count: 14)
!31 = !DIGlobalVariableExpression(var: !32, expr: !DIExpression())
!32 = distinct !DIGlobalVariable(scope: null, file: !3, line: 29, type: !33, isLocal: true, isDefinition: true)
!33 = !DICompositeType(tag: DW_TAG_array_type, baseType: !34, size: 184, elements: !35)
!34 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !23)
!35 = !{!36}
!36 = !DISubrange(count: 23)
!37 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "ring", file: !3, line: 7, size: 192, elements: !38)
!38 = !{!39, !43, !44, !45, !46}
!39 = !DIDerivedType(tag: DW_TAG_member, name: "head", scope: !37, file: !3, line: 8, baseType: !40, size: 32)
!40 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !11, line: 104, baseType: !41)
!41 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !42)
!42 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!43 = !DIDerivedType(tag: DW_TAG_member, name: "tail", scope: !37, file: !3, line: 8, baseType: !40, size: 32, offset: 32)
!44 = !DIDerivedType(tag: DW_TAG_member, name: "head_seen", scope: !37, file: !3, line: 9, baseType: !42, size: 32, offset: 64)
!45 = !DIDerivedType(tag: DW_TAG_member, name: "tail_seen", scope: !37, file: !3, line: 9, baseType: !42, size: 32, offset: 96)
!46 = !DIDerivedType(tag: DW_TAG_member, name: "slots", scope: !37, file: !3, line: 10, baseType: !47, size: 64, offset: 128)
!47 = !DICompositeType(tag: DW_TAG_array_type, baseType: !42, size: 64, elements: !48)
!48 = !{!49}
!49 = !DISubrange(count: 2)
!50 = !{i32 7, !"Dwarf Version", i32 4}
!51 = !{i32 2, !"Debug Info Version", i32 3}
!52 = !{i32 1, !"wchar_size", i32 4}
!53 = !{i32 8, !"PIC Level", i32 2}
!54 = !{i32 7, !"uwtable", i32 2}
!55 = !{i32 7, !"frame-pointer", i32 2}
!56 = !{!"clang version 22.1.8"}
!57 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 35, type: !58, scopeLine: 35, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !60)
!58 = !DISubroutineType(types: !59)
!59 = !{!42}
!60 = !{}
!61 = !DILocalVariable(name: "one", scope: !57, file: !3, line: 36, type: !62)
!62 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !63, line: 27, baseType: !64)
!63 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!64 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!65 = !DILocation(line: 36, column: 15, scope: !57)
!66 = !DILocalVariable(name: "two", scope: !57, file: !3, line: 36, type: !62)
!67 = !DILocation(line: 36, column: 20, scope: !57)
!68 = !DILocation(line: 37, column: 5, scope: !57)
!69 = !DILocation(line: 38, column: 5, scope: !57)
!70 = !DILocation(line: 39, column: 18, scope: !57)
!71 = !DILocation(line: 39, column: 5, scope: !57)
!72 = !DILocation(line: 40, column: 18, scope: !57)
!73 = !DILocation(line: 40, column: 5, scope: !57)
!74 = !DILocation(line: 41, column: 1, scope: !57)
!75 = distinct !DISubprogram(name: "producer", scope: !3, file: !3, line: 13, type: !76, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !60)
!76 = !DISubroutineType(types: !77)
!77 = !{!78, !78}
!78 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!79 = !DILocalVariable(name: "unused", arg: 1, scope: !75, file: !3, line: 13, type: !78)
!80 = !DILocation(line: 13, column: 29, scope: !75)
!81 = !DILocalVariable(name: "i", scope: !82, file: !3, line: 14, type: !42)
!82 = distinct !DILexicalBlock(scope: !75, file: !3, line: 14, column: 5)
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
!95 = !DILocation(line: 16, column: 28, scope: !90)
!96 = !DILocation(line: 16, column: 21, scope: !90)
!97 = !DILocation(line: 16, column: 38, scope: !90)
!98 = !DILocation(line: 17, column: 30, scope: !90)
!99 = !DILocation(line: 17, column: 28, scope: !90)
!100 = distinct !{!100, !93, !101, !102}
!101 = !DILocation(line: 17, column: 83, scope: !90)
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
!116 = !DILocation(line: 21, column: 12, scope: !75)
!117 = !DILocation(line: 21, column: 5, scope: !75)
!118 = distinct !DISubprogram(name: "consumer", scope: !3, file: !3, line: 24, type: !76, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !60)
!119 = !DILocalVariable(name: "unused", arg: 1, scope: !118, file: !3, line: 24, type: !78)
!120 = !DILocation(line: 24, column: 29, scope: !118)
!121 = !DILocalVariable(name: "i", scope: !122, file: !3, line: 25, type: !42)
!122 = distinct !DILexicalBlock(scope: !118, file: !3, line: 25, column: 5)
!123 = !DILocation(line: 25, column: 14, scope: !122)
!124 = !DILocation(line: 25, column: 10, scope: !122)
!125 = !DILocation(line: 25, column: 21, scope: !126)
!126 = distinct !DILexicalBlock(scope: !122, file: !3, line: 25, column: 5)
!127 = !DILocation(line: 25, column: 23, scope: !126)
!128 = !DILocation(line: 25, column: 5, scope: !122)
!129 = !DILocalVariable(name: "head", scope: !130, file: !3, line: 26, type: !42)
!130 = distinct !DILexicalBlock(scope: !126, file: !3, line: 25, column: 39)
!131 = !DILocation(line: 26, column: 13, scope: !130)
!132 = !DILocation(line: 26, column: 20, scope: !130)
!133 = !DILocation(line: 27, column: 9, scope: !130)
!134 = !DILocation(line: 27, column: 21, scope: !130)
!135 = !DILocation(line: 27, column: 34, scope: !130)
!136 = !DILocation(line: 27, column: 31, scope: !130)
!137 = !DILocation(line: 28, column: 30, scope: !130)
!138 = !DILocation(line: 28, column: 28, scope: !130)
!139 = distinct !{!139, !133, !140, !102}
!140 = !DILocation(line: 28, column: 83, scope: !130)
!141 = !DILocation(line: 29, column: 27, scope: !142)
!142 = distinct !DILexicalBlock(scope: !143, file: !3, line: 29, column: 16)
!143 = distinct !DILexicalBlock(scope: !130, file: !3, line: 29, column: 9)
!144 = !DILocation(line: 29, column: 32, scope: !142)
!145 = !DILocation(line: 29, column: 16, scope: !142)
!146 = !DILocation(line: 29, column: 43, scope: !142)
!147 = !DILocation(line: 29, column: 40, scope: !142)
!148 = !DILocation(line: 29, column: 9, scope: !142)
!149 = !DILocation(line: 30, column: 43, scope: !130)
!150 = !DILocation(line: 30, column: 48, scope: !130)
!151 = !DILocation(line: 30, column: 9, scope: !130)
!152 = !DILocation(line: 31, column: 5, scope: !130)
!153 = !DILocation(line: 25, column: 35, scope: !126)
!154 = !DILocation(line: 25, column: 5, scope: !126)
!155 = distinct !{!155, !128, !156, !102}
!156 = !DILocation(line: 31, column: 5, scope: !122)
!157 = !DILocation(line: 32, column: 12, scope: !118)
!158 = !DILocation(line: 32, column: 5, scope: !118)
