target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.shared = type { %struct.lock, i32 }
%struct.lock = type { i32 }

@shared = global %struct.shared zeroinitializer, align 4, !dbg !0
@.str = private unnamed_addr constant [18 x i8] c"shared.count == 3\00", align 1, !dbg !16
@.str.1 = private unnamed_addr constant [11 x i8] c"spinlock.c\00", align 1, !dbg !22
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !27

define i32 @main() !dbg !50 {
  %1 = alloca i32, align 4
  %2 = alloca [3 x i64], align 16
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !54, !DIExpression(), !61)
    #dbg_declare(ptr %3, !62, !DIExpression(), !64)
  store i32 0, ptr %3, align 4, !dbg !64
  br label %5, !dbg !65

5:                                                ; preds = %13, %0
  %6 = load i32, ptr %3, align 4, !dbg !66
  %7 = icmp slt i32 %6, 3, !dbg !68
  br i1 %7, label %8, label %16, !dbg !69

8:                                                ; preds = %5
  %9 = load i32, ptr %3, align 4, !dbg !70
  %10 = sext i32 %9 to i64, !dbg !71
  %11 = getelementptr inbounds [3 x i64], ptr %2, i64 0, i64 %10, !dbg !71
  %12 = call i32 @pthread_create(ptr noundef %11, ptr noundef null, ptr noundef @worker, ptr noundef @shared), !dbg !72
  br label %13, !dbg !72

13:                                               ; preds = %8
  %14 = load i32, ptr %3, align 4, !dbg !73
  %15 = add nsw i32 %14, 1, !dbg !73
  store i32 %15, ptr %3, align 4, !dbg !73
  br label %5, !dbg !74, !llvm.loop !75

16:                                               ; preds = %5
    #dbg_declare(ptr %4, !78, !DIExpression(), !80)
  store i32 0, ptr %4, align 4, !dbg !80
  br label %17, !dbg !81

17:                                               ; preds = %26, %16
  %18 = load i32, ptr %4, align 4, !dbg !82
  %19 = icmp slt i32 %18, 3, !dbg !84
  br i1 %19, label %20, label %29, !dbg !85

20:                                               ; preds = %17
  %21 = load i32, ptr %4, align 4, !dbg !86
  %22 = sext i32 %21 to i64, !dbg !87
  %23 = getelementptr inbounds [3 x i64], ptr %2, i64 0, i64 %22, !dbg !87
  %24 = load i64, ptr %23, align 8, !dbg !87
  %25 = call i32 @pthread_join(i64 noundef %24, ptr noundef null), !dbg !88
  br label %26, !dbg !88

26:                                               ; preds = %20
  %27 = load i32, ptr %4, align 4, !dbg !89
  %28 = add nsw i32 %27, 1, !dbg !89
  store i32 %28, ptr %4, align 4, !dbg !89
  br label %17, !dbg !90, !llvm.loop !91

29:                                               ; preds = %17
  %30 = load i32, ptr getelementptr inbounds nuw (%struct.shared, ptr @shared, i32 0, i32 1), align 4, !dbg !93
  %31 = icmp eq i32 %30, 3, !dbg !96
  br i1 %31, label %32, label %33, !dbg !96

32:                                               ; preds = %29
  br label %34, !dbg !96

33:                                               ; preds = %29
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 37, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !97
  unreachable, !dbg !97

34:                                               ; preds = %32
  %35 = load i32, ptr %1, align 4, !dbg !98
  ret i32 %35, !dbg !98
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !99 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !103, !DIExpression(), !104)
    #dbg_declare(ptr %3, !105, !DIExpression(), !107)
  %4 = load ptr, ptr %2, align 8, !dbg !108
  store ptr %4, ptr %3, align 8, !dbg !107
  %5 = load ptr, ptr %3, align 8, !dbg !109
  %6 = getelementptr inbounds nuw %struct.shared, ptr %5, i32 0, i32 0, !dbg !110
  call void @acquire(ptr noundef %6), !dbg !111
  %7 = load ptr, ptr %3, align 8, !dbg !112
  %8 = getelementptr inbounds nuw %struct.shared, ptr %7, i32 0, i32 1, !dbg !113
  %9 = load i32, ptr %8, align 4, !dbg !114
  %10 = add nsw i32 %9, 1, !dbg !114
  store i32 %10, ptr %8, align 4, !dbg !114
  %11 = load ptr, ptr %3, align 8, !dbg !115
  %12 = getelementptr inbounds nuw %struct.shared, ptr %11, i32 0, i32 0, !dbg !116
  call void @release(ptr noundef %12), !dbg !117
  ret ptr null, !dbg !118
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

define internal void @acquire(ptr noundef %0) !dbg !119 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !123, !DIExpression(), !124)
  br label %5, !dbg !125

5:                                                ; preds = %12, %1
  %6 = load ptr, ptr %2, align 8, !dbg !126
  %7 = getelementptr inbounds nuw %struct.lock, ptr %6, i32 0, i32 0, !dbg !127
  store i32 1, ptr %3, align 4, !dbg !128
  %8 = load i32, ptr %3, align 4, !dbg !128
  %9 = atomicrmw xchg ptr %7, i32 %8 acquire, align 4, !dbg !128
  store i32 %9, ptr %4, align 4, !dbg !128
  %10 = load i32, ptr %4, align 4, !dbg !128
  %11 = icmp ne i32 %10, 0, !dbg !125
  br i1 %11, label %12, label %13, !dbg !125

12:                                               ; preds = %5
  br label %5, !dbg !125, !llvm.loop !129

13:                                               ; preds = %5
  ret void, !dbg !131
}

define internal void @release(ptr noundef %0) !dbg !132 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !133, !DIExpression(), !134)
  %4 = load ptr, ptr %2, align 8, !dbg !135
  %5 = getelementptr inbounds nuw %struct.lock, ptr %4, i32 0, i32 0, !dbg !136
  store i32 0, ptr %3, align 4, !dbg !137
  %6 = load i32, ptr %3, align 4, !dbg !137
  store atomic i32 %6, ptr %5 release, align 4, !dbg !137
  ret void, !dbg !138
}


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!43, !44, !45, !46, !47, !48}
!llvm.ident = !{!49}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "shared", scope: !2, file: !3, line: 12, type: !33, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "spinlock.c", directory: ".")
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
!15 = !{!16, !22, !27, !0}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 37, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 144, elements: !20)
!19 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!20 = !{!21}
!21 = !DISubrange(count: 18)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !3, line: 37, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 88, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 11)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 37, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 120, elements: !31)
!30 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!31 = !{!32}
!32 = !DISubrange(count: 15)
!33 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "shared", file: !3, line: 9, size: 64, elements: !34)
!34 = !{!35, !42}
!35 = !DIDerivedType(tag: DW_TAG_member, name: "lock", scope: !33, file: !3, line: 10, baseType: !36, size: 32)
!36 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "lock", file: !3, line: 5, size: 32, elements: !37)
!37 = !{!38}
!38 = !DIDerivedType(tag: DW_TAG_member, name: "held", scope: !36, file: !3, line: 6, baseType: !39, size: 32)
!39 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !40)
!40 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !41)
!41 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!42 = !DIDerivedType(tag: DW_TAG_member, name: "count", scope: !33, file: !3, line: 11, baseType: !41, size: 32, offset: 32)
!43 = !{i32 7, !"Dwarf Version", i32 4}
!44 = !{i32 2, !"Debug Info Version", i32 3}
!45 = !{i32 1, !"wchar_size", i32 4}
!46 = !{i32 8, !"PIC Level", i32 2}
!47 = !{i32 7, !"uwtable", i32 2}
!48 = !{i32 7, !"frame-pointer", i32 2}
!49 = !{!"clang version 22.1.8"}
!50 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 31, type: !51, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !53)
!51 = !DISubroutineType(types: !52)
!52 = !{!41}
!53 = !{}
!54 = !DILocalVariable(name: "threads", scope: !50, file: !3, line: 32, type: !55)
!55 = !DICompositeType(tag: DW_TAG_array_type, baseType: !56, size: 192, elements: !59)
!56 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !57, line: 27, baseType: !58)
!57 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!58 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!59 = !{!60}
!60 = !DISubrange(count: 3)
!61 = !DILocation(line: 32, column: 15, scope: !50)
!62 = !DILocalVariable(name: "i", scope: !63, file: !3, line: 33, type: !41)
!63 = distinct !DILexicalBlock(scope: !50, file: !3, line: 33, column: 5)
!64 = !DILocation(line: 33, column: 14, scope: !63)
!65 = !DILocation(line: 33, column: 10, scope: !63)
!66 = !DILocation(line: 33, column: 21, scope: !67)
!67 = distinct !DILexicalBlock(scope: !63, file: !3, line: 33, column: 5)
!68 = !DILocation(line: 33, column: 23, scope: !67)
!69 = !DILocation(line: 33, column: 5, scope: !63)
!70 = !DILocation(line: 34, column: 33, scope: !67)
!71 = !DILocation(line: 34, column: 25, scope: !67)
!72 = !DILocation(line: 34, column: 9, scope: !67)
!73 = !DILocation(line: 33, column: 29, scope: !67)
!74 = !DILocation(line: 33, column: 5, scope: !67)
!75 = distinct !{!75, !69, !76, !77}
!76 = !DILocation(line: 34, column: 55, scope: !63)
!77 = !{!"llvm.loop.mustprogress"}
!78 = !DILocalVariable(name: "i", scope: !79, file: !3, line: 35, type: !41)
!79 = distinct !DILexicalBlock(scope: !50, file: !3, line: 35, column: 5)
!80 = !DILocation(line: 35, column: 14, scope: !79)
!81 = !DILocation(line: 35, column: 10, scope: !79)
!82 = !DILocation(line: 35, column: 21, scope: !83)
!83 = distinct !DILexicalBlock(scope: !79, file: !3, line: 35, column: 5)
!84 = !DILocation(line: 35, column: 23, scope: !83)
!85 = !DILocation(line: 35, column: 5, scope: !79)
!86 = !DILocation(line: 36, column: 30, scope: !83)
!87 = !DILocation(line: 36, column: 22, scope: !83)
!88 = !DILocation(line: 36, column: 9, scope: !83)
!89 = !DILocation(line: 35, column: 29, scope: !83)
!90 = !DILocation(line: 35, column: 5, scope: !83)
!91 = distinct !{!91, !85, !92, !77}
!92 = !DILocation(line: 36, column: 35, scope: !79)
!93 = !DILocation(line: 37, column: 19, scope: !94)
!94 = distinct !DILexicalBlock(scope: !95, file: !3, line: 37, column: 12)
!95 = distinct !DILexicalBlock(scope: !50, file: !3, line: 37, column: 5)
!96 = !DILocation(line: 37, column: 25, scope: !94)
!97 = !DILocation(line: 37, column: 5, scope: !94)
!98 = !DILocation(line: 38, column: 1, scope: !50)
!99 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 23, type: !100, scopeLine: 23, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !53)
!100 = !DISubroutineType(types: !101)
!101 = !{!102, !102}
!102 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!103 = !DILocalVariable(name: "argument", arg: 1, scope: !99, file: !3, line: 23, type: !102)
!104 = !DILocation(line: 23, column: 27, scope: !99)
!105 = !DILocalVariable(name: "own", scope: !99, file: !3, line: 24, type: !106)
!106 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !33, size: 64)
!107 = !DILocation(line: 24, column: 20, scope: !99)
!108 = !DILocation(line: 24, column: 26, scope: !99)
!109 = !DILocation(line: 25, column: 14, scope: !99)
!110 = !DILocation(line: 25, column: 19, scope: !99)
!111 = !DILocation(line: 25, column: 5, scope: !99)
!112 = !DILocation(line: 26, column: 5, scope: !99)
!113 = !DILocation(line: 26, column: 10, scope: !99)
!114 = !DILocation(line: 26, column: 15, scope: !99)
!115 = !DILocation(line: 27, column: 14, scope: !99)
!116 = !DILocation(line: 27, column: 19, scope: !99)
!117 = !DILocation(line: 27, column: 5, scope: !99)
!118 = !DILocation(line: 28, column: 5, scope: !99)
!119 = distinct !DISubprogram(name: "acquire", scope: !3, file: !3, line: 14, type: !120, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !53)
!120 = !DISubroutineType(types: !121)
!121 = !{null, !122}
!122 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !36, size: 64)
!123 = !DILocalVariable(name: "lock", arg: 1, scope: !119, file: !3, line: 14, type: !122)
!124 = !DILocation(line: 14, column: 34, scope: !119)
!125 = !DILocation(line: 15, column: 5, scope: !119)
!126 = !DILocation(line: 15, column: 38, scope: !119)
!127 = !DILocation(line: 15, column: 44, scope: !119)
!128 = !DILocation(line: 15, column: 12, scope: !119)
!129 = distinct !{!129, !125, !130, !77}
!130 = !DILocation(line: 16, column: 9, scope: !119)
!131 = !DILocation(line: 17, column: 1, scope: !119)
!132 = distinct !DISubprogram(name: "release", scope: !3, file: !3, line: 19, type: !120, scopeLine: 19, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !53)
!133 = !DILocalVariable(name: "lock", arg: 1, scope: !132, file: !3, line: 19, type: !122)
!134 = !DILocation(line: 19, column: 34, scope: !132)
!135 = !DILocation(line: 20, column: 28, scope: !132)
!136 = !DILocation(line: 20, column: 34, scope: !132)
!137 = !DILocation(line: 20, column: 5, scope: !132)
!138 = !DILocation(line: 21, column: 1, scope: !132)
