target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@flag = global i32 0, align 4, !dbg !0
@data = global i32 0, align 4, !dbg !16
@.str = private unnamed_addr constant [11 x i8] c"data == 42\00", align 1, !dbg !19
@.str.1 = private unnamed_addr constant [10 x i8] c"message.c\00", align 1, !dbg !25
@__PRETTY_FUNCTION__.reader = private unnamed_addr constant [21 x i8] c"void *reader(void *)\00", align 1, !dbg !30

define i32 @main() !dbg !45 {
  %1 = alloca i32, align 4
  %2 = alloca [2 x i64], align 16
  %3 = alloca i32, align 4
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !49, !DIExpression(), !56)
  %4 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 0, !dbg !57
  %5 = call i32 @pthread_create(ptr noundef %4, ptr noundef null, ptr noundef @writer, ptr noundef null), !dbg !58
  %6 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 1, !dbg !59
  %7 = call i32 @pthread_create(ptr noundef %6, ptr noundef null, ptr noundef @reader, ptr noundef null), !dbg !60
    #dbg_declare(ptr %3, !61, !DIExpression(), !63)
  store i32 0, ptr %3, align 4, !dbg !63
  br label %8, !dbg !64

8:                                                ; preds = %17, %0
  %9 = load i32, ptr %3, align 4, !dbg !65
  %10 = icmp slt i32 %9, 2, !dbg !67
  br i1 %10, label %11, label %20, !dbg !68

11:                                               ; preds = %8
  %12 = load i32, ptr %3, align 4, !dbg !69
  %13 = sext i32 %12 to i64, !dbg !70
  %14 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 %13, !dbg !70
  %15 = load i64, ptr %14, align 8, !dbg !70
  %16 = call i32 @pthread_join(i64 noundef %15, ptr noundef null), !dbg !71
  br label %17, !dbg !71

17:                                               ; preds = %11
  %18 = load i32, ptr %3, align 4, !dbg !72
  %19 = add nsw i32 %18, 1, !dbg !72
  store i32 %19, ptr %3, align 4, !dbg !72
  br label %8, !dbg !73, !llvm.loop !74

20:                                               ; preds = %8
  %21 = load i32, ptr %1, align 4, !dbg !77
  ret i32 %21, !dbg !77
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @writer(ptr noundef %0) !dbg !78 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !82, !DIExpression(), !83)
  store i32 42, ptr @data, align 4, !dbg !84
  store i32 1, ptr %3, align 4, !dbg !85
  %4 = load i32, ptr %3, align 4, !dbg !85
  store atomic i32 %4, ptr @flag release, align 4, !dbg !85
  %5 = load ptr, ptr %2, align 8, !dbg !86
  ret ptr %5, !dbg !87
}

define internal ptr @reader(ptr noundef %0) !dbg !88 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !89, !DIExpression(), !90)
  %4 = load atomic i32, ptr @flag acquire, align 4, !dbg !91
  store i32 %4, ptr %3, align 4, !dbg !91
  %5 = load i32, ptr %3, align 4, !dbg !91
  %6 = icmp ne i32 %5, 0, !dbg !91
  br i1 %6, label %7, label %13, !dbg !91

7:                                                ; preds = %1
  %8 = load i32, ptr @data, align 4, !dbg !93
  %9 = icmp eq i32 %8, 42, !dbg !96
  br i1 %9, label %10, label %11, !dbg !96

10:                                               ; preds = %7
  br label %12, !dbg !96

11:                                               ; preds = %7
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 16, ptr noundef @__PRETTY_FUNCTION__.reader), !dbg !97
  unreachable, !dbg !97

12:                                               ; preds = %10
  br label %13, !dbg !98

13:                                               ; preds = %12, %1
  %14 = load ptr, ptr %2, align 8, !dbg !99
  ret ptr %14, !dbg !100
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!38, !39, !40, !41, !42, !43}
!llvm.ident = !{!44}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "flag", scope: !2, file: !3, line: 5, type: !36, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "message.c", directory: ".")
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
!15 = !{!0, !16, !19, !25, !30}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "data", scope: !2, file: !3, line: 6, type: !18, isLocal: false, isDefinition: true)
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(scope: null, file: !3, line: 16, type: !21, isLocal: true, isDefinition: true)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 88, elements: !23)
!22 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!23 = !{!24}
!24 = !DISubrange(count: 11)
!25 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression())
!26 = distinct !DIGlobalVariable(scope: null, file: !3, line: 16, type: !27, isLocal: true, isDefinition: true)
!27 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 80, elements: !28)
!28 = !{!29}
!29 = !DISubrange(count: 10)
!30 = !DIGlobalVariableExpression(var: !31, expr: !DIExpression())
!31 = distinct !DIGlobalVariable(scope: null, file: !3, line: 16, type: !32, isLocal: true, isDefinition: true)
!32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !33, size: 168, elements: !34)
!33 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !22)
!34 = !{!35}
!35 = !DISubrange(count: 21)
!36 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !37)
!37 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !18)
!38 = !{i32 7, !"Dwarf Version", i32 4}
!39 = !{i32 2, !"Debug Info Version", i32 3}
!40 = !{i32 1, !"wchar_size", i32 4}
!41 = !{i32 8, !"PIC Level", i32 2}
!42 = !{i32 7, !"uwtable", i32 2}
!43 = !{i32 7, !"frame-pointer", i32 2}
!44 = !{!"clang version 22.1.8"}
!45 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 20, type: !46, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !48)
!46 = !DISubroutineType(types: !47)
!47 = !{!18}
!48 = !{}
!49 = !DILocalVariable(name: "threads", scope: !45, file: !3, line: 21, type: !50)
!50 = !DICompositeType(tag: DW_TAG_array_type, baseType: !51, size: 128, elements: !54)
!51 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !52, line: 27, baseType: !53)
!52 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!53 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!54 = !{!55}
!55 = !DISubrange(count: 2)
!56 = !DILocation(line: 21, column: 15, scope: !45)
!57 = !DILocation(line: 22, column: 21, scope: !45)
!58 = !DILocation(line: 22, column: 5, scope: !45)
!59 = !DILocation(line: 23, column: 21, scope: !45)
!60 = !DILocation(line: 23, column: 5, scope: !45)
!61 = !DILocalVariable(name: "i", scope: !62, file: !3, line: 24, type: !18)
!62 = distinct !DILexicalBlock(scope: !45, file: !3, line: 24, column: 5)
!63 = !DILocation(line: 24, column: 14, scope: !62)
!64 = !DILocation(line: 24, column: 10, scope: !62)
!65 = !DILocation(line: 24, column: 21, scope: !66)
!66 = distinct !DILexicalBlock(scope: !62, file: !3, line: 24, column: 5)
!67 = !DILocation(line: 24, column: 23, scope: !66)
!68 = !DILocation(line: 24, column: 5, scope: !62)
!69 = !DILocation(line: 25, column: 30, scope: !66)
!70 = !DILocation(line: 25, column: 22, scope: !66)
!71 = !DILocation(line: 25, column: 9, scope: !66)
!72 = !DILocation(line: 24, column: 29, scope: !66)
!73 = !DILocation(line: 24, column: 5, scope: !66)
!74 = distinct !{!74, !68, !75, !76}
!75 = !DILocation(line: 25, column: 35, scope: !62)
!76 = !{!"llvm.loop.mustprogress"}
!77 = !DILocation(line: 26, column: 1, scope: !45)
!78 = distinct !DISubprogram(name: "writer", scope: !3, file: !3, line: 8, type: !79, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !48)
!79 = !DISubroutineType(types: !80)
!80 = !{!81, !81}
!81 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!82 = !DILocalVariable(name: "unused", arg: 1, scope: !78, file: !3, line: 8, type: !81)
!83 = !DILocation(line: 8, column: 27, scope: !78)
!84 = !DILocation(line: 9, column: 10, scope: !78)
!85 = !DILocation(line: 10, column: 5, scope: !78)
!86 = !DILocation(line: 11, column: 12, scope: !78)
!87 = !DILocation(line: 11, column: 5, scope: !78)
!88 = distinct !DISubprogram(name: "reader", scope: !3, file: !3, line: 14, type: !79, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !48)
!89 = !DILocalVariable(name: "unused", arg: 1, scope: !88, file: !3, line: 14, type: !81)
!90 = !DILocation(line: 14, column: 27, scope: !88)
!91 = !DILocation(line: 15, column: 9, scope: !92)
!92 = distinct !DILexicalBlock(scope: !88, file: !3, line: 15, column: 9)
!93 = !DILocation(line: 16, column: 16, scope: !94)
!94 = distinct !DILexicalBlock(scope: !95, file: !3, line: 16, column: 16)
!95 = distinct !DILexicalBlock(scope: !92, file: !3, line: 16, column: 9)
!96 = !DILocation(line: 16, column: 21, scope: !94)
!97 = !DILocation(line: 16, column: 9, scope: !94)
!98 = !DILocation(line: 16, column: 9, scope: !92)
!99 = !DILocation(line: 17, column: 12, scope: !88)
!100 = !DILocation(line: 17, column: 5, scope: !88)
