target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.pair = type { i32, i32 }

@a = global i32 0, align 4, !dbg !0
@b = global i32 0, align 4, !dbg !5
@first = global i32 0, align 4, !dbg !11
@second = global i32 0, align 4, !dbg !13
@third = global i32 0, align 4, !dbg !15
@fourth = global i32 0, align 4, !dbg !17
@__const.reader.one = private unnamed_addr constant %struct.pair { i32 1, i32 2 }, align 4
@.str = private unnamed_addr constant [16 x i8] c"kept == both[0]\00", align 1, !dbg !19
@.str.1 = private unnamed_addr constant [7 x i8] c"ways.c\00", align 1, !dbg !25
@__PRETTY_FUNCTION__.reader = private unnamed_addr constant [21 x i8] c"void *reader(void *)\00", align 1, !dbg !30

define i32 @main() !dbg !43 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !47, !DIExpression(), !51)
    #dbg_declare(ptr %2, !52, !DIExpression(), !53)
  %3 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @writer, ptr noundef null), !dbg !54
  %4 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @reader, ptr noundef null), !dbg !55
  %5 = load i64, ptr %1, align 8, !dbg !56
  %6 = call i32 @pthread_join(i64 noundef %5, ptr noundef null), !dbg !57
  %7 = load i64, ptr %2, align 8, !dbg !58
  %8 = call i32 @pthread_join(i64 noundef %7, ptr noundef null), !dbg !59
  ret i32 0, !dbg !60
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @writer(ptr noundef %0) !dbg !61 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !65, !DIExpression(), !66)
  store i32 2, ptr %3, align 4, !dbg !67
  %5 = load i32, ptr %3, align 4, !dbg !67
  store atomic i32 %5, ptr @a seq_cst, align 4, !dbg !67
  store i32 1, ptr %4, align 4, !dbg !68
  %6 = load i32, ptr %4, align 4, !dbg !68
  store atomic i32 %6, ptr @b seq_cst, align 4, !dbg !68
  %7 = load ptr, ptr %2, align 8, !dbg !69
  ret ptr %7, !dbg !70
}

define internal ptr @reader(ptr noundef %0) !dbg !71 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca %struct.pair, align 4
  %8 = alloca %struct.pair, align 4
  %9 = alloca [2 x ptr], align 16
  %10 = alloca ptr, align 8
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !72, !DIExpression(), !73)
    #dbg_declare(ptr %3, !74, !DIExpression(), !75)
  %19 = load atomic i32, ptr @a seq_cst, align 4, !dbg !76
  store i32 %19, ptr %4, align 4, !dbg !76
  %20 = load i32, ptr %4, align 4, !dbg !76
  store i32 %20, ptr %3, align 4, !dbg !75
    #dbg_declare(ptr %5, !77, !DIExpression(), !78)
  %21 = load atomic i32, ptr @b seq_cst, align 4, !dbg !79
  store i32 %21, ptr %6, align 4, !dbg !79
  %22 = load i32, ptr %6, align 4, !dbg !79
  store i32 %22, ptr %5, align 4, !dbg !78
    #dbg_declare(ptr %7, !80, !DIExpression(), !85)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %7, ptr align 4 @__const.reader.one, i64 8, i1 false), !dbg !85
    #dbg_declare(ptr %8, !86, !DIExpression(), !87)
    #dbg_declare(ptr %9, !88, !DIExpression(), !93)
  store ptr %7, ptr %9, align 8, !dbg !94
  %23 = getelementptr inbounds ptr, ptr %9, i64 1, !dbg !94
  store ptr %8, ptr %23, align 8, !dbg !94
    #dbg_declare(ptr %10, !95, !DIExpression(), !97)
  %24 = getelementptr inbounds [2 x ptr], ptr %9, i64 0, i64 0, !dbg !98
  %25 = load ptr, ptr %24, align 16, !dbg !98
  store volatile ptr %25, ptr %10, align 8, !dbg !97
  %26 = load i32, ptr %5, align 4, !dbg !99
  %27 = icmp ne i32 %26, 0, !dbg !99
  %28 = zext i1 %27 to i64, !dbg !99
  %29 = select i1 %27, i32 5, i32 6, !dbg !99
  %30 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 0, !dbg !100
  store i32 %29, ptr %30, align 4, !dbg !101
  %31 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 1, !dbg !102
  store i32 7, ptr %31, align 4, !dbg !103
  %32 = load i32, ptr %3, align 4, !dbg !104
  %33 = icmp ne i32 %32, 0, !dbg !104
  br i1 %33, label %34, label %60, !dbg !104

34:                                               ; preds = %1
  %35 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 1, !dbg !106
  store i32 8, ptr %35, align 4, !dbg !108
    #dbg_declare(ptr %11, !109, !DIExpression(), !111)
  store i32 0, ptr %11, align 4, !dbg !111
  br label %36, !dbg !112

36:                                               ; preds = %56, %34
  %37 = load i32, ptr %11, align 4, !dbg !113
  %38 = load i32, ptr %3, align 4, !dbg !115
  %39 = icmp slt i32 %37, %38, !dbg !116
  br i1 %39, label %40, label %59, !dbg !117

40:                                               ; preds = %36
    #dbg_declare(ptr %12, !118, !DIExpression(), !120)
  %41 = getelementptr inbounds nuw %struct.pair, ptr %7, i32 0, i32 0, !dbg !121
  %42 = load i32, ptr %41, align 4, !dbg !121
  store i32 %42, ptr %12, align 4, !dbg !120
  %43 = load i32, ptr %5, align 4, !dbg !122
  call void @add(ptr noundef %7, i32 noundef %43), !dbg !123
  %44 = load i32, ptr %12, align 4, !dbg !124
  %45 = icmp eq i32 %44, 1, !dbg !126
  br i1 %45, label %46, label %50, !dbg !126

46:                                               ; preds = %40
  %47 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 0, !dbg !127
  %48 = load i32, ptr %47, align 4, !dbg !128
  %49 = add nsw i32 %48, 1, !dbg !128
  store i32 %49, ptr %47, align 4, !dbg !128
  br label %55, !dbg !129

50:                                               ; preds = %40
  %51 = load i32, ptr %5, align 4, !dbg !130
  %52 = icmp ne i32 %51, 0, !dbg !130
  br i1 %52, label %53, label %54, !dbg !130

53:                                               ; preds = %50
  br label %59, !dbg !132

54:                                               ; preds = %50
  br label %55

55:                                               ; preds = %54, %46
  br label %56, !dbg !133

56:                                               ; preds = %55
  %57 = load i32, ptr %11, align 4, !dbg !134
  %58 = add nsw i32 %57, 1, !dbg !134
  store i32 %58, ptr %11, align 4, !dbg !134
  br label %36, !dbg !135, !llvm.loop !136

59:                                               ; preds = %53, %36
  br label %60, !dbg !139

60:                                               ; preds = %59, %1
  %61 = load i32, ptr %5, align 4, !dbg !140
  %62 = load i32, ptr %3, align 4, !dbg !141
  %63 = add nsw i32 %61, %62, !dbg !142
  switch i32 %63, label %68 [
    i32 0, label %64
    i32 2, label %66
  ], !dbg !143

64:                                               ; preds = %60
  %65 = getelementptr inbounds nuw %struct.pair, ptr %7, i32 0, i32 1, !dbg !144
  store i32 3, ptr %65, align 4, !dbg !146
  br label %74, !dbg !147

66:                                               ; preds = %60
  %67 = getelementptr inbounds nuw %struct.pair, ptr %7, i32 0, i32 1, !dbg !148
  store i32 4, ptr %67, align 4, !dbg !149
  br label %68, !dbg !150

68:                                               ; preds = %60, %66
  %69 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 1, !dbg !151
  %70 = load i32, ptr %69, align 4, !dbg !151
  %71 = getelementptr inbounds nuw %struct.pair, ptr %7, i32 0, i32 1, !dbg !152
  %72 = load i32, ptr %71, align 4, !dbg !153
  %73 = add nsw i32 %72, %70, !dbg !153
  store i32 %73, ptr %71, align 4, !dbg !153
  br label %74, !dbg !154

74:                                               ; preds = %68, %64
    #dbg_declare(ptr %13, !155, !DIExpression(), !156)
  store i32 0, ptr %13, align 4, !dbg !156
  br label %75, !dbg !157

75:                                               ; preds = %91, %74
    #dbg_declare(ptr %14, !158, !DIExpression(), !160)
  %76 = load i32, ptr %13, align 4, !dbg !161
  %77 = icmp ne i32 %76, 0, !dbg !161
  br i1 %77, label %78, label %81, !dbg !161

78:                                               ; preds = %75
  %79 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 1, !dbg !162
  %80 = load i32, ptr %79, align 4, !dbg !162
  br label %84, !dbg !161

81:                                               ; preds = %75
  %82 = getelementptr inbounds nuw %struct.pair, ptr %7, i32 0, i32 1, !dbg !163
  %83 = load i32, ptr %82, align 4, !dbg !163
  br label %84, !dbg !161

84:                                               ; preds = %81, %78
  %85 = phi i32 [ %80, %78 ], [ %83, %81 ], !dbg !161
  store i32 %85, ptr %14, align 4, !dbg !160
  %86 = load i32, ptr %14, align 4, !dbg !164
  %87 = add nsw i32 %86, 1, !dbg !165
  %88 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 1, !dbg !166
  store i32 %87, ptr %88, align 4, !dbg !167
  %89 = load i32, ptr %13, align 4, !dbg !168
  %90 = add nsw i32 %89, 1, !dbg !168
  store i32 %90, ptr %13, align 4, !dbg !168
  br label %91, !dbg !169

91:                                               ; preds = %84
  %92 = load i32, ptr %13, align 4, !dbg !170
  %93 = load i32, ptr %5, align 4, !dbg !171
  %94 = add nsw i32 2, %93, !dbg !172
  %95 = icmp slt i32 %92, %94, !dbg !173
  br i1 %95, label %75, label %96, !dbg !169, !llvm.loop !174

96:                                               ; preds = %91
  %97 = getelementptr inbounds nuw %struct.pair, ptr %7, i32 0, i32 0, !dbg !176
  %98 = load i32, ptr %97, align 4, !dbg !176
  store i32 %98, ptr %15, align 4, !dbg !177
  %99 = load i32, ptr %15, align 4, !dbg !177
  store atomic i32 %99, ptr @first seq_cst, align 4, !dbg !177
  %100 = getelementptr inbounds nuw %struct.pair, ptr %7, i32 0, i32 1, !dbg !178
  %101 = load i32, ptr %100, align 4, !dbg !178
  store i32 %101, ptr %16, align 4, !dbg !179
  %102 = load i32, ptr %16, align 4, !dbg !179
  store atomic i32 %102, ptr @second seq_cst, align 4, !dbg !179
  %103 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 0, !dbg !180
  %104 = load i32, ptr %103, align 4, !dbg !180
  store i32 %104, ptr %17, align 4, !dbg !181
  %105 = load i32, ptr %17, align 4, !dbg !181
  store atomic i32 %105, ptr @third seq_cst, align 4, !dbg !181
  %106 = getelementptr inbounds nuw %struct.pair, ptr %8, i32 0, i32 1, !dbg !182
  %107 = load i32, ptr %106, align 4, !dbg !182
  store i32 %107, ptr %18, align 4, !dbg !183
  %108 = load i32, ptr %18, align 4, !dbg !183
  store atomic i32 %108, ptr @fourth seq_cst, align 4, !dbg !183
  %109 = load volatile ptr, ptr %10, align 8, !dbg !184
  %110 = getelementptr inbounds [2 x ptr], ptr %9, i64 0, i64 0, !dbg !187
  %111 = load ptr, ptr %110, align 16, !dbg !187
  %112 = icmp eq ptr %109, %111, !dbg !188
  br i1 %112, label %113, label %114, !dbg !188

113:                                              ; preds = %96
  br label %115, !dbg !188

114:                                              ; preds = %96
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 61, ptr noundef @__PRETTY_FUNCTION__.reader), !dbg !189
  unreachable, !dbg !189

115:                                              ; preds = %113
  %116 = load ptr, ptr %2, align 8, !dbg !190
  ret ptr %116, !dbg !191
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)

define internal void @add(ptr noundef %0, i32 noundef %1) !dbg !192 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca %struct.pair, align 4
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !195, !DIExpression(), !196)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !197, !DIExpression(), !198)
    #dbg_declare(ptr %5, !199, !DIExpression(), !200)
  %6 = load ptr, ptr %3, align 8, !dbg !201
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %5, ptr align 4 %6, i64 8, i1 false), !dbg !202
  %7 = load i32, ptr %4, align 4, !dbg !203
  %8 = icmp sgt i32 %7, 1, !dbg !205
  br i1 %8, label %9, label %11, !dbg !205

9:                                                ; preds = %2
  %10 = getelementptr inbounds nuw %struct.pair, ptr %5, i32 0, i32 1, !dbg !206
  store i32 9, ptr %10, align 4, !dbg !207
  br label %11, !dbg !208

11:                                               ; preds = %9, %2
  %12 = load i32, ptr %4, align 4, !dbg !209
  %13 = getelementptr inbounds nuw %struct.pair, ptr %5, i32 0, i32 0, !dbg !210
  %14 = load i32, ptr %13, align 4, !dbg !211
  %15 = add nsw i32 %14, %12, !dbg !211
  store i32 %15, ptr %13, align 4, !dbg !211
  %16 = load ptr, ptr %3, align 8, !dbg !212
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %16, ptr align 4 %5, i64 8, i1 false), !dbg !213
  ret void, !dbg !214
}

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!36, !37, !38, !39, !40, !41}
!llvm.ident = !{!42}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "a", scope: !2, file: !3, line: 9, type: !7, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "ways.c", directory: ".")
!4 = !{!0, !5, !11, !13, !15, !17, !19, !25, !30}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "b", scope: !2, file: !3, line: 9, type: !7, isLocal: false, isDefinition: true)
!7 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !8, line: 104, baseType: !9)
!8 = !DIFile(filename: "/usr/lib/include/stdatomic.h", directory: "")
!9 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !10)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = !DIGlobalVariableExpression(var: !12, expr: !DIExpression())
!12 = distinct !DIGlobalVariable(name: "first", scope: !2, file: !3, line: 10, type: !7, isLocal: false, isDefinition: true)
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(name: "second", scope: !2, file: !3, line: 10, type: !7, isLocal: false, isDefinition: true)
!15 = !DIGlobalVariableExpression(var: !16, expr: !DIExpression())
!16 = distinct !DIGlobalVariable(name: "third", scope: !2, file: !3, line: 10, type: !7, isLocal: false, isDefinition: true)
!17 = !DIGlobalVariableExpression(var: !18, expr: !DIExpression())
!18 = distinct !DIGlobalVariable(name: "fourth", scope: !2, file: !3, line: 10, type: !7, isLocal: false, isDefinition: true)
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(scope: null, file: !3, line: 61, type: !21, isLocal: true, isDefinition: true)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 128, elements: !23)
!22 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!23 = !{!24}
!24 = !DISubrange(count: 16)
!25 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression())
!26 = distinct !DIGlobalVariable(scope: null, file: !3, line: 61, type: !27, isLocal: true, isDefinition: true)
!27 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 56, elements: !28)
!28 = !{!29}
!29 = !DISubrange(count: 7)
!30 = !DIGlobalVariableExpression(var: !31, expr: !DIExpression())
!31 = distinct !DIGlobalVariable(scope: null, file: !3, line: 61, type: !32, isLocal: true, isDefinition: true)
!32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !33, size: 168, elements: !34)
!33 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !22)
!34 = !{!35}
!35 = !DISubrange(count: 21)
!36 = !{i32 7, !"Dwarf Version", i32 4}
!37 = !{i32 2, !"Debug Info Version", i32 3}
!38 = !{i32 1, !"wchar_size", i32 4}
!39 = !{i32 8, !"PIC Level", i32 2}
!40 = !{i32 7, !"uwtable", i32 2}
!41 = !{i32 7, !"frame-pointer", i32 2}
!42 = !{!"clang version 22.1.8"}
!43 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 65, type: !44, scopeLine: 65, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !46)
!44 = !DISubroutineType(types: !45)
!45 = !{!10}
!46 = !{}
!47 = !DILocalVariable(name: "one", scope: !43, file: !3, line: 66, type: !48)
!48 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !49, line: 27, baseType: !50)
!49 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!50 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!51 = !DILocation(line: 66, column: 15, scope: !43)
!52 = !DILocalVariable(name: "two", scope: !43, file: !3, line: 66, type: !48)
!53 = !DILocation(line: 66, column: 20, scope: !43)
!54 = !DILocation(line: 67, column: 5, scope: !43)
!55 = !DILocation(line: 68, column: 5, scope: !43)
!56 = !DILocation(line: 69, column: 18, scope: !43)
!57 = !DILocation(line: 69, column: 5, scope: !43)
!58 = !DILocation(line: 70, column: 18, scope: !43)
!59 = !DILocation(line: 70, column: 5, scope: !43)
!60 = !DILocation(line: 71, column: 1, scope: !43)
!61 = distinct !DISubprogram(name: "writer", scope: !3, file: !3, line: 12, type: !62, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !46)
!62 = !DISubroutineType(types: !63)
!63 = !{!64, !64}
!64 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!65 = !DILocalVariable(name: "unused", arg: 1, scope: !61, file: !3, line: 12, type: !64)
!66 = !DILocation(line: 12, column: 27, scope: !61)
!67 = !DILocation(line: 13, column: 5, scope: !61)
!68 = !DILocation(line: 14, column: 5, scope: !61)
!69 = !DILocation(line: 15, column: 12, scope: !61)
!70 = !DILocation(line: 15, column: 5, scope: !61)
!71 = distinct !DISubprogram(name: "reader", scope: !3, file: !3, line: 26, type: !62, scopeLine: 26, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !46)
!72 = !DILocalVariable(name: "unused", arg: 1, scope: !71, file: !3, line: 26, type: !64)
!73 = !DILocation(line: 26, column: 27, scope: !71)
!74 = !DILocalVariable(name: "x", scope: !71, file: !3, line: 27, type: !10)
!75 = !DILocation(line: 27, column: 9, scope: !71)
!76 = !DILocation(line: 27, column: 13, scope: !71)
!77 = !DILocalVariable(name: "y", scope: !71, file: !3, line: 27, type: !10)
!78 = !DILocation(line: 27, column: 30, scope: !71)
!79 = !DILocation(line: 27, column: 34, scope: !71)
!80 = !DILocalVariable(name: "one", scope: !71, file: !3, line: 28, type: !81)
!81 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "pair", file: !3, line: 5, size: 64, elements: !82)
!82 = !{!83, !84}
!83 = !DIDerivedType(tag: DW_TAG_member, name: "first", scope: !81, file: !3, line: 6, baseType: !10, size: 32)
!84 = !DIDerivedType(tag: DW_TAG_member, name: "second", scope: !81, file: !3, line: 6, baseType: !10, size: 32, offset: 32)
!85 = !DILocation(line: 28, column: 17, scope: !71)
!86 = !DILocalVariable(name: "two", scope: !71, file: !3, line: 28, type: !81)
!87 = !DILocation(line: 28, column: 31, scope: !71)
!88 = !DILocalVariable(name: "both", scope: !71, file: !3, line: 28, type: !89)
!89 = !DICompositeType(tag: DW_TAG_array_type, baseType: !90, size: 128, elements: !91)
!90 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !81, size: 64)
!91 = !{!92}
!92 = !DISubrange(count: 2)
!93 = !DILocation(line: 28, column: 37, scope: !71)
!94 = !DILocation(line: 28, column: 47, scope: !71)
!95 = !DILocalVariable(name: "kept", scope: !71, file: !3, line: 28, type: !96)
!96 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !90)
!97 = !DILocation(line: 28, column: 71, scope: !71)
!98 = !DILocation(line: 28, column: 78, scope: !71)
!99 = !DILocation(line: 29, column: 17, scope: !71)
!100 = !DILocation(line: 29, column: 9, scope: !71)
!101 = !DILocation(line: 29, column: 15, scope: !71)
!102 = !DILocation(line: 30, column: 9, scope: !71)
!103 = !DILocation(line: 30, column: 16, scope: !71)
!104 = !DILocation(line: 31, column: 9, scope: !105)
!105 = distinct !DILexicalBlock(scope: !71, file: !3, line: 31, column: 9)
!106 = !DILocation(line: 32, column: 13, scope: !107)
!107 = distinct !DILexicalBlock(scope: !105, file: !3, line: 31, column: 12)
!108 = !DILocation(line: 32, column: 20, scope: !107)
!109 = !DILocalVariable(name: "i", scope: !110, file: !3, line: 33, type: !10)
!110 = distinct !DILexicalBlock(scope: !107, file: !3, line: 33, column: 9)
!111 = !DILocation(line: 33, column: 18, scope: !110)
!112 = !DILocation(line: 33, column: 14, scope: !110)
!113 = !DILocation(line: 33, column: 25, scope: !114)
!114 = distinct !DILexicalBlock(scope: !110, file: !3, line: 33, column: 9)
!115 = !DILocation(line: 33, column: 29, scope: !114)
!116 = !DILocation(line: 33, column: 27, scope: !114)
!117 = !DILocation(line: 33, column: 9, scope: !110)
!118 = !DILocalVariable(name: "before", scope: !119, file: !3, line: 34, type: !10)
!119 = distinct !DILexicalBlock(scope: !114, file: !3, line: 33, column: 37)
!120 = !DILocation(line: 34, column: 17, scope: !119)
!121 = !DILocation(line: 34, column: 30, scope: !119)
!122 = !DILocation(line: 35, column: 23, scope: !119)
!123 = !DILocation(line: 35, column: 13, scope: !119)
!124 = !DILocation(line: 36, column: 17, scope: !125)
!125 = distinct !DILexicalBlock(scope: !119, file: !3, line: 36, column: 17)
!126 = !DILocation(line: 36, column: 24, scope: !125)
!127 = !DILocation(line: 37, column: 21, scope: !125)
!128 = !DILocation(line: 37, column: 26, scope: !125)
!129 = !DILocation(line: 37, column: 17, scope: !125)
!130 = !DILocation(line: 38, column: 22, scope: !131)
!131 = distinct !DILexicalBlock(scope: !125, file: !3, line: 38, column: 22)
!132 = !DILocation(line: 39, column: 17, scope: !131)
!133 = !DILocation(line: 40, column: 9, scope: !119)
!134 = !DILocation(line: 33, column: 33, scope: !114)
!135 = !DILocation(line: 33, column: 9, scope: !114)
!136 = distinct !{!136, !117, !137, !138}
!137 = !DILocation(line: 40, column: 9, scope: !110)
!138 = !{!"llvm.loop.mustprogress"}
!139 = !DILocation(line: 41, column: 5, scope: !107)
!140 = !DILocation(line: 42, column: 13, scope: !71)
!141 = !DILocation(line: 42, column: 17, scope: !71)
!142 = !DILocation(line: 42, column: 15, scope: !71)
!143 = !DILocation(line: 42, column: 5, scope: !71)
!144 = !DILocation(line: 44, column: 13, scope: !145)
!145 = distinct !DILexicalBlock(scope: !71, file: !3, line: 42, column: 20)
!146 = !DILocation(line: 44, column: 20, scope: !145)
!147 = !DILocation(line: 45, column: 9, scope: !145)
!148 = !DILocation(line: 47, column: 13, scope: !145)
!149 = !DILocation(line: 47, column: 20, scope: !145)
!150 = !DILocation(line: 47, column: 9, scope: !145)
!151 = !DILocation(line: 49, column: 27, scope: !145)
!152 = !DILocation(line: 49, column: 13, scope: !145)
!153 = !DILocation(line: 49, column: 20, scope: !145)
!154 = !DILocation(line: 50, column: 5, scope: !145)
!155 = !DILocalVariable(name: "n", scope: !71, file: !3, line: 51, type: !10)
!156 = !DILocation(line: 51, column: 9, scope: !71)
!157 = !DILocation(line: 52, column: 5, scope: !71)
!158 = !DILocalVariable(name: "last", scope: !159, file: !3, line: 53, type: !10)
!159 = distinct !DILexicalBlock(scope: !71, file: !3, line: 52, column: 8)
!160 = !DILocation(line: 53, column: 13, scope: !159)
!161 = !DILocation(line: 53, column: 20, scope: !159)
!162 = !DILocation(line: 53, column: 28, scope: !159)
!163 = !DILocation(line: 53, column: 41, scope: !159)
!164 = !DILocation(line: 54, column: 22, scope: !159)
!165 = !DILocation(line: 54, column: 27, scope: !159)
!166 = !DILocation(line: 54, column: 13, scope: !159)
!167 = !DILocation(line: 54, column: 20, scope: !159)
!168 = !DILocation(line: 55, column: 10, scope: !159)
!169 = !DILocation(line: 56, column: 5, scope: !159)
!170 = !DILocation(line: 56, column: 14, scope: !71)
!171 = !DILocation(line: 56, column: 22, scope: !71)
!172 = !DILocation(line: 56, column: 20, scope: !71)
!173 = !DILocation(line: 56, column: 16, scope: !71)
!174 = distinct !{!174, !157, !175, !138}
!175 = !DILocation(line: 56, column: 23, scope: !71)
!176 = !DILocation(line: 57, column: 30, scope: !71)
!177 = !DILocation(line: 57, column: 5, scope: !71)
!178 = !DILocation(line: 58, column: 31, scope: !71)
!179 = !DILocation(line: 58, column: 5, scope: !71)
!180 = !DILocation(line: 59, column: 30, scope: !71)
!181 = !DILocation(line: 59, column: 5, scope: !71)
!182 = !DILocation(line: 60, column: 31, scope: !71)
!183 = !DILocation(line: 60, column: 5, scope: !71)
!184 = !DILocation(line: 61, column: 12, scope: !185)
!185 = distinct !DILexicalBlock(scope: !186, file: !3, line: 61, column: 12)
!186 = distinct !DILexicalBlock(scope: !71, file: !3, line: 61, column: 5)
!187 = !DILocation(line: 61, column: 20, scope: !185)
!188 = !DILocation(line: 61, column: 17, scope: !185)
!189 = !DILocation(line: 61, column: 5, scope: !185)
!190 = !DILocation(line: 62, column: 12, scope: !71)
!191 = !DILocation(line: 62, column: 5, scope: !71)
!192 = distinct !DISubprogram(name: "add", scope: !3, file: !3, line: 18, type: !193, scopeLine: 18, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !46)
!193 = !DISubroutineType(types: !194)
!194 = !{null, !90, !10}
!195 = !DILocalVariable(name: "to", arg: 1, scope: !192, file: !3, line: 18, type: !90)
!196 = !DILocation(line: 18, column: 30, scope: !192)
!197 = !DILocalVariable(name: "more", arg: 2, scope: !192, file: !3, line: 18, type: !10)
!198 = !DILocation(line: 18, column: 38, scope: !192)
!199 = !DILocalVariable(name: "copy", scope: !192, file: !3, line: 19, type: !81)
!200 = !DILocation(line: 19, column: 17, scope: !192)
!201 = !DILocation(line: 19, column: 25, scope: !192)
!202 = !DILocation(line: 19, column: 24, scope: !192)
!203 = !DILocation(line: 20, column: 9, scope: !204)
!204 = distinct !DILexicalBlock(scope: !192, file: !3, line: 20, column: 9)
!205 = !DILocation(line: 20, column: 14, scope: !204)
!206 = !DILocation(line: 21, column: 14, scope: !204)
!207 = !DILocation(line: 21, column: 21, scope: !204)
!208 = !DILocation(line: 21, column: 9, scope: !204)
!209 = !DILocation(line: 22, column: 19, scope: !192)
!210 = !DILocation(line: 22, column: 10, scope: !192)
!211 = !DILocation(line: 22, column: 16, scope: !192)
!212 = !DILocation(line: 23, column: 6, scope: !192)
!213 = !DILocation(line: 23, column: 11, scope: !192)
!214 = !DILocation(line: 24, column: 1, scope: !192)
