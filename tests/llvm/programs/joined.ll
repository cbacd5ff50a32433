target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@own = global i32 0, align 4, !dbg !0
@.str = private unnamed_addr constant [9 x i8] c"own == 3\00", align 1, !dbg !5
@.str.1 = private unnamed_addr constant [9 x i8] c"joined.c\00", align 1, !dbg !11
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !13

define i32 @main() !dbg !27 {
  %1 = alloca i64, align 8
    #dbg_declare(ptr %1, !31, !DIExpression(), !35)
  %2 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !36
  %3 = load i64, ptr %1, align 8, !dbg !37
  %4 = call i32 @pthread_join(i64 noundef %3, ptr noundef null), !dbg !38
  %5 = load i32, ptr @own, align 4, !dbg !39
  %6 = icmp eq i32 %5, 3, !dbg !42
  br i1 %6, label %7, label %8, !dbg !42

7:                                                ; preds = %0
  br label %9, !dbg !42

8:                                                ; preds = %0
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 18, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !43
  unreachable, !dbg !43

9:                                                ; preds = %7
  ret i32 0, !dbg !44
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !45 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !49, !DIExpression(), !50)
    #dbg_declare(ptr %3, !51, !DIExpression(), !53)
  store i32 0, ptr %3, align 4, !dbg !53
  br label %4, !dbg !54

4:                                                ; preds = %11, %1
  %5 = load i32, ptr %3, align 4, !dbg !55
  %6 = icmp slt i32 %5, 3, !dbg !57
  br i1 %6, label %7, label %14, !dbg !58

7:                                                ; preds = %4
  %8 = load i32, ptr %3, align 4, !dbg !59
  %9 = load i32, ptr @own, align 4, !dbg !60
  %10 = add nsw i32 %9, %8, !dbg !60
  store i32 %10, ptr @own, align 4, !dbg !60
  br label %11, !dbg !61

11:                                               ; preds = %7
  %12 = load i32, ptr %3, align 4, !dbg !62
  %13 = add nsw i32 %12, 1, !dbg !62
  store i32 %13, ptr %3, align 4, !dbg !62
  br label %4, !dbg !63, !llvm.loop !64

14:                                               ; preds = %4
  %15 = load ptr, ptr %2, align 8, !dbg !67
  ret ptr %15, !dbg !68
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!20, !21, !22, !23, !24, !25}
!llvm.ident = !{!26}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "own", scope: !2, file: !3, line: 6, type: !19, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "joined.c", directory: ".")
!4 = !{!5, !11, !13, !0}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(scope: null, file: !3, line: 18, type: !7, isLocal: true, isDefinition: true)
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 72, elements: !9)
!8 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!9 = !{!10}
!10 = !DISubrange(count: 9)
!11 = !DIGlobalVariableExpression(var: !12, expr: !DIExpression())
!12 = distinct !DIGlobalVariable(scope: null, file: !3, line: 18, type: !7, isLocal: true, isDefinition: true)
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(scope: null, file: !3, line: 18, type: !15, isLocal: true, isDefinition: true)
!15 = !DICompositeType(tag: DW_TAG_array_type, baseType: !16, size: 120, elements: !17)
!16 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !8)
!17 = !{!18}
!18 = !DISubrange(count: 15)
!19 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!20 = !{i32 7, !"Dwarf Version", i32 4}
!21 = !{i32 2, !"Debug Info Version", i32 3}
!22 = !{i32 1, !"wchar_size", i32 4}
!23 = !{i32 8, !"PIC Level", i32 2}
!24 = !{i32 7, !"uwtable", i32 2}
!25 = !{i32 7, !"frame-pointer", i32 2}
!26 = !{!"clang version 22.1.8"}
!27 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !28, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !30)
!28 = !DISubroutineType(types: !29)
!29 = !{!19}
!30 = !{}
!31 = !DILocalVariable(name: "thread", scope: !27, file: !3, line: 15, type: !32)
!32 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !33, line: 27, baseType: !34)
!33 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!34 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!35 = !DILocation(line: 15, column: 15, scope: !27)
!36 = !DILocation(line: 16, column: 5, scope: !27)
!37 = !DILocation(line: 17, column: 18, scope: !27)
!38 = !DILocation(line: 17, column: 5, scope: !27)
!39 = !DILocation(line: 18, column: 12, scope: !40)
!40 = distinct !DILexicalBlock(scope: !41, file: !3, line: 18, column: 12)
!41 = distinct !DILexicalBlock(scope: !27, file: !3, line: 18, column: 5)
!42 = !DILocation(line: 18, column: 16, scope: !40)
!43 = !DILocation(line: 18, column: 5, scope: !40)
!44 = !DILocation(line: 19, column: 1, scope: !27)
!45 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 8, type: !46, scopeLine: 8, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !30)
!46 = !DISubroutineType(types: !47)
!47 = !{!48, !48}
!48 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!49 = !DILocalVariable(name: "unused", arg: 1, scope: !45, file: !3, line: 8, type: !48)
!50 = !DILocation(line: 8, column: 27, scope: !45)
!51 = !DILocalVariable(name: "i", scope: !52, file: !3, line: 9, type: !19)
!52 = distinct !DILexicalBlock(scope: !45, file: !3, line: 9, column: 5)
!53 = !DILocation(line: 9, column: 14, scope: !52)
!54 = !DILocation(line: 9, column: 10, scope: !52)
!55 = !DILocation(line: 9, column: 21, scope: !56)
!56 = distinct !DILexicalBlock(scope: !52, file: !3, line: 9, column: 5)
!57 = !DILocation(line: 9, column: 23, scope: !56)
!58 = !DILocation(line: 9, column: 5, scope: !52)
!59 = !DILocation(line: 10, column: 16, scope: !56)
!60 = !DILocation(line: 10, column: 13, scope: !56)
!61 = !DILocation(line: 10, column: 9, scope: !56)
!62 = !DILocation(line: 9, column: 29, scope: !56)
!63 = !DILocation(line: 9, column: 5, scope: !56)
!64 = distinct !{!64, !58, !65, !66}
!65 = !DILocation(line: 10, column: 16, scope: !52)
!66 = !{!"llvm.loop.mustprogress"}
!67 = !DILocation(line: 11, column: 12, scope: !45)
!68 = !DILocation(line: 11, column: 5, scope: !45)
