target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@values = internal global [2 x i32] [i32 3, i32 4], align 4, !dbg !0
@.str = private unnamed_addr constant [10 x i8] c"sum == 14\00", align 1, !dbg !8
@.str.1 = private unnamed_addr constant [10 x i8] c"results.c\00", align 1, !dbg !14
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !16

define i32 @main() !dbg !32 {
  %1 = alloca i32, align 4
  %2 = alloca [2 x i64], align 16
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !36, !DIExpression(), !41)
    #dbg_declare(ptr %3, !42, !DIExpression(), !43)
  store i32 0, ptr %3, align 4, !dbg !43
    #dbg_declare(ptr %4, !44, !DIExpression(), !46)
  store i32 0, ptr %4, align 4, !dbg !46
  br label %7, !dbg !47

7:                                                ; preds = %18, %0
  %8 = load i32, ptr %4, align 4, !dbg !48
  %9 = icmp slt i32 %8, 2, !dbg !50
  br i1 %9, label %10, label %21, !dbg !51

10:                                               ; preds = %7
  %11 = load i32, ptr %4, align 4, !dbg !52
  %12 = sext i32 %11 to i64, !dbg !53
  %13 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 %12, !dbg !53
  %14 = load i32, ptr %4, align 4, !dbg !54
  %15 = sext i32 %14 to i64, !dbg !55
  %16 = getelementptr inbounds [2 x i32], ptr @values, i64 0, i64 %15, !dbg !55
  %17 = call i32 @pthread_create(ptr noundef %13, ptr noundef null, ptr noundef @worker, ptr noundef %16), !dbg !56
  br label %18, !dbg !56

18:                                               ; preds = %10
  %19 = load i32, ptr %4, align 4, !dbg !57
  %20 = add nsw i32 %19, 1, !dbg !57
  store i32 %20, ptr %4, align 4, !dbg !57
  br label %7, !dbg !58, !llvm.loop !59

21:                                               ; preds = %7
    #dbg_declare(ptr %5, !62, !DIExpression(), !64)
  store i32 0, ptr %5, align 4, !dbg !64
  br label %22, !dbg !65

22:                                               ; preds = %35, %21
  %23 = load i32, ptr %5, align 4, !dbg !66
  %24 = icmp slt i32 %23, 2, !dbg !68
  br i1 %24, label %25, label %38, !dbg !69

25:                                               ; preds = %22
    #dbg_declare(ptr %6, !70, !DIExpression(), !73)
  %26 = load i32, ptr %5, align 4, !dbg !74
  %27 = sext i32 %26 to i64, !dbg !75
  %28 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 %27, !dbg !75
  %29 = load i64, ptr %28, align 8, !dbg !75
  %30 = call i32 @pthread_join(i64 noundef %29, ptr noundef %6), !dbg !76
  %31 = load ptr, ptr %6, align 8, !dbg !77
  %32 = load i32, ptr %31, align 4, !dbg !78
  %33 = load i32, ptr %3, align 4, !dbg !79
  %34 = add nsw i32 %33, %32, !dbg !79
  store i32 %34, ptr %3, align 4, !dbg !79
  br label %35, !dbg !80

35:                                               ; preds = %25
  %36 = load i32, ptr %5, align 4, !dbg !81
  %37 = add nsw i32 %36, 1, !dbg !81
  store i32 %37, ptr %5, align 4, !dbg !81
  br label %22, !dbg !82, !llvm.loop !83

38:                                               ; preds = %22
  %39 = load i32, ptr %3, align 4, !dbg !85
  %40 = icmp eq i32 %39, 14, !dbg !88
  br i1 %40, label %41, label %42, !dbg !88

41:                                               ; preds = %38
  br label %43, !dbg !88

42:                                               ; preds = %38
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 24, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !89
  unreachable, !dbg !89

43:                                               ; preds = %41
  %44 = load i32, ptr %1, align 4, !dbg !90
  ret i32 %44, !dbg !90
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !91 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !94, !DIExpression(), !95)
    #dbg_declare(ptr %3, !96, !DIExpression(), !97)
  %4 = load ptr, ptr %2, align 8, !dbg !98
  store ptr %4, ptr %3, align 8, !dbg !97
  %5 = load ptr, ptr %3, align 8, !dbg !99
  %6 = load i32, ptr %5, align 4, !dbg !100
  %7 = mul nsw i32 %6, 2, !dbg !100
  store i32 %7, ptr %5, align 4, !dbg !100
  %8 = load ptr, ptr %3, align 8, !dbg !101
  ret ptr %8, !dbg !102
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!25, !26, !27, !28, !29, !30}
!llvm.ident = !{!31}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "values", scope: !2, file: !3, line: 6, type: !22, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !7, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "results.c", directory: ".")
!4 = !{!5}
!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{!8, !14, !16, !0}
!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!9 = distinct !DIGlobalVariable(scope: null, file: !3, line: 24, type: !10, isLocal: true, isDefinition: true)
!10 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 80, elements: !12)
!11 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!12 = !{!13}
!13 = !DISubrange(count: 10)
!14 = !DIGlobalVariableExpression(var: !15, expr: !DIExpression())
!15 = distinct !DIGlobalVariable(scope: null, file: !3, line: 24, type: !10, isLocal: true, isDefinition: true)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 24, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 120, elements: !20)
!19 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !11)
!20 = !{!21}
!21 = !DISubrange(count: 15)
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 64, elements: !23)
!23 = !{!24}
!24 = !DISubrange(count: 2)
!25 = !{i32 7, !"Dwarf Version", i32 4}
!26 = !{i32 2, !"Debug Info Version", i32 3}
!27 = !{i32 1, !"wchar_size", i32 4}
!28 = !{i32 8, !"PIC Level", i32 2}
!29 = !{i32 7, !"uwtable", i32 2}
!30 = !{i32 7, !"frame-pointer", i32 2}
!31 = !{!"clang version 22.1.8"}
!32 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !33, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !35)
!33 = !DISubroutineType(types: !34)
!34 = !{!6}
!35 = !{}
!36 = !DILocalVariable(name: "threads", scope: !32, file: !3, line: 15, type: !37)
!37 = !DICompositeType(tag: DW_TAG_array_type, baseType: !38, size: 128, elements: !23)
!38 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !39, line: 27, baseType: !40)
!39 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!40 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!41 = !DILocation(line: 15, column: 15, scope: !32)
!42 = !DILocalVariable(name: "sum", scope: !32, file: !3, line: 16, type: !6)
!43 = !DILocation(line: 16, column: 9, scope: !32)
!44 = !DILocalVariable(name: "i", scope: !45, file: !3, line: 17, type: !6)
!45 = distinct !DILexicalBlock(scope: !32, file: !3, line: 17, column: 5)
!46 = !DILocation(line: 17, column: 14, scope: !45)
!47 = !DILocation(line: 17, column: 10, scope: !45)
!48 = !DILocation(line: 17, column: 21, scope: !49)
!49 = distinct !DILexicalBlock(scope: !45, file: !3, line: 17, column: 5)
!50 = !DILocation(line: 17, column: 23, scope: !49)
!51 = !DILocation(line: 17, column: 5, scope: !45)
!52 = !DILocation(line: 18, column: 33, scope: !49)
!53 = !DILocation(line: 18, column: 25, scope: !49)
!54 = !DILocation(line: 18, column: 56, scope: !49)
!55 = !DILocation(line: 18, column: 49, scope: !49)
!56 = !DILocation(line: 18, column: 9, scope: !49)
!57 = !DILocation(line: 17, column: 29, scope: !49)
!58 = !DILocation(line: 17, column: 5, scope: !49)
!59 = distinct !{!59, !51, !60, !61}
!60 = !DILocation(line: 18, column: 58, scope: !45)
!61 = !{!"llvm.loop.mustprogress"}
!62 = !DILocalVariable(name: "i", scope: !63, file: !3, line: 19, type: !6)
!63 = distinct !DILexicalBlock(scope: !32, file: !3, line: 19, column: 5)
!64 = !DILocation(line: 19, column: 14, scope: !63)
!65 = !DILocation(line: 19, column: 10, scope: !63)
!66 = !DILocation(line: 19, column: 21, scope: !67)
!67 = distinct !DILexicalBlock(scope: !63, file: !3, line: 19, column: 5)
!68 = !DILocation(line: 19, column: 23, scope: !67)
!69 = !DILocation(line: 19, column: 5, scope: !63)
!70 = !DILocalVariable(name: "result", scope: !71, file: !3, line: 20, type: !72)
!71 = distinct !DILexicalBlock(scope: !67, file: !3, line: 19, column: 33)
!72 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!73 = !DILocation(line: 20, column: 15, scope: !71)
!74 = !DILocation(line: 21, column: 30, scope: !71)
!75 = !DILocation(line: 21, column: 22, scope: !71)
!76 = !DILocation(line: 21, column: 9, scope: !71)
!77 = !DILocation(line: 22, column: 24, scope: !71)
!78 = !DILocation(line: 22, column: 16, scope: !71)
!79 = !DILocation(line: 22, column: 13, scope: !71)
!80 = !DILocation(line: 23, column: 5, scope: !71)
!81 = !DILocation(line: 19, column: 29, scope: !67)
!82 = !DILocation(line: 19, column: 5, scope: !67)
!83 = distinct !{!83, !69, !84, !61}
!84 = !DILocation(line: 23, column: 5, scope: !63)
!85 = !DILocation(line: 24, column: 12, scope: !86)
!86 = distinct !DILexicalBlock(scope: !87, file: !3, line: 24, column: 12)
!87 = distinct !DILexicalBlock(scope: !32, file: !3, line: 24, column: 5)
!88 = !DILocation(line: 24, column: 16, scope: !86)
!89 = !DILocation(line: 24, column: 5, scope: !86)
!90 = !DILocation(line: 25, column: 1, scope: !32)
!91 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 8, type: !92, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !35)
!92 = !DISubroutineType(types: !93)
!93 = !{!72, !72}
!94 = !DILocalVariable(name: "argument", arg: 1, scope: !91, file: !3, line: 8, type: !72)
!95 = !DILocation(line: 8, column: 27, scope: !91)
!96 = !DILocalVariable(name: "own", scope: !91, file: !3, line: 9, type: !5)
!97 = !DILocation(line: 9, column: 10, scope: !91)
!98 = !DILocation(line: 9, column: 16, scope: !91)
!99 = !DILocation(line: 10, column: 6, scope: !91)
!100 = !DILocation(line: 10, column: 10, scope: !91)
!101 = !DILocation(line: 11, column: 12, scope: !91)
!102 = !DILocation(line: 11, column: 5, scope: !91)
