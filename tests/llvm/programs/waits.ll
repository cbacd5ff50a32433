target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@go = global i32 0, align 4, !dbg !0
@ready = global i32 0, align 4, !dbg !33
@data = global i32 0, align 4, !dbg !38
@.str = private unnamed_addr constant [10 x i8] c"data == 1\00", align 1, !dbg !16
@.str.1 = private unnamed_addr constant [8 x i8] c"waits.c\00", align 1, !dbg !22
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !27

define i32 @main() !dbg !47 {
  %1 = alloca i32, align 4
  %2 = alloca i64, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !51, !DIExpression(), !55)
  %5 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !56
  store i32 1, ptr %3, align 4, !dbg !57
  %6 = load i32, ptr %3, align 4, !dbg !57
  store atomic i32 %6, ptr @go release, align 4, !dbg !57
  br label %7, !dbg !58

7:                                                ; preds = %12, %0
  %8 = load atomic i32, ptr @ready acquire, align 4, !dbg !59
  store i32 %8, ptr %4, align 4, !dbg !59
  %9 = load i32, ptr %4, align 4, !dbg !59
  %10 = icmp ne i32 %9, 0, !dbg !60
  %11 = xor i1 %10, true, !dbg !60
  br i1 %11, label %12, label %13, !dbg !58

12:                                               ; preds = %7
  br label %7, !dbg !58, !llvm.loop !61

13:                                               ; preds = %7
  %14 = load i32, ptr @data, align 4, !dbg !64
  %15 = icmp eq i32 %14, 1, !dbg !67
  br i1 %15, label %16, label %17, !dbg !67

16:                                               ; preds = %13
  br label %18, !dbg !67

17:                                               ; preds = %13
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 23, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !68
  unreachable, !dbg !68

18:                                               ; preds = %16
  %19 = load i64, ptr %2, align 8, !dbg !69
  %20 = call i32 @pthread_join(i64 noundef %19, ptr noundef null), !dbg !70
  %21 = load i32, ptr %1, align 4, !dbg !71
  ret i32 %21, !dbg !71
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !72 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !76, !DIExpression(), !77)
  br label %5, !dbg !78

5:                                                ; preds = %10, %1
  %6 = load atomic i32, ptr @go acquire, align 4, !dbg !79
  store i32 %6, ptr %3, align 4, !dbg !79
  %7 = load i32, ptr %3, align 4, !dbg !79
  %8 = icmp ne i32 %7, 0, !dbg !80
  %9 = xor i1 %8, true, !dbg !80
  br i1 %9, label %10, label %11, !dbg !78

10:                                               ; preds = %5
  br label %5, !dbg !78, !llvm.loop !81

11:                                               ; preds = %5
  store i32 1, ptr @data, align 4, !dbg !83
  store i32 1, ptr %4, align 4, !dbg !84
  %12 = load i32, ptr %4, align 4, !dbg !84
  store atomic i32 %12, ptr @ready release, align 4, !dbg !84
  %13 = load ptr, ptr %2, align 8, !dbg !85
  ret ptr %13, !dbg !86
}

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)

declare i32 @pthread_join(i64 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!40, !41, !42, !43, !44, !45}
!llvm.ident = !{!46}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "go", scope: !2, file: !3, line: 6, type: !35, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "waits.c", directory: ".")
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
!15 = !{!16, !22, !27, !33, !0, !38}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 23, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 80, elements: !20)
!19 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!20 = !{!21}
!21 = !DISubrange(count: 10)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !3, line: 23, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 64, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 8)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 23, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 120, elements: !31)
!30 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!31 = !{!32}
!32 = !DISubrange(count: 15)
!33 = !DIGlobalVariableExpression(var: !34, expr: !DIExpression())
!34 = distinct !DIGlobalVariable(name: "ready", scope: !2, file: !3, line: 6, type: !35, isLocal: false, isDefinition: true)
!35 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !36)
!36 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !37)
!37 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!38 = !DIGlobalVariableExpression(var: !39, expr: !DIExpression())
!39 = distinct !DIGlobalVariable(name: "data", scope: !2, file: !3, line: 7, type: !37, isLocal: false, isDefinition: true)
!40 = !{i32 7, !"Dwarf Version", i32 4}
!41 = !{i32 2, !"Debug Info Version", i32 3}
!42 = !{i32 1, !"wchar_size", i32 4}
!43 = !{i32 8, !"PIC Level", i32 2}
!44 = !{i32 7, !"uwtable", i32 2}
!45 = !{i32 7, !"frame-pointer", i32 2}
!46 = !{!"clang version 22.1.8"}
!47 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 17, type: !48, scopeLine: 17, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !50)
!48 = !DISubroutineType(types: !49)
!49 = !{!37}
!50 = !{}
!51 = !DILocalVariable(name: "thread", scope: !47, file: !3, line: 18, type: !52)
!52 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !53, line: 27, baseType: !54)
!53 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!54 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!55 = !DILocation(line: 18, column: 15, scope: !47)
!56 = !DILocation(line: 19, column: 5, scope: !47)
!57 = !DILocation(line: 20, column: 5, scope: !47)
!58 = !DILocation(line: 21, column: 5, scope: !47)
!59 = !DILocation(line: 21, column: 13, scope: !47)
!60 = !DILocation(line: 21, column: 12, scope: !47)
!61 = distinct !{!61, !58, !62, !63}
!62 = !DILocation(line: 22, column: 9, scope: !47)
!63 = !{!"llvm.loop.mustprogress"}
!64 = !DILocation(line: 23, column: 12, scope: !65)
!65 = distinct !DILexicalBlock(scope: !66, file: !3, line: 23, column: 12)
!66 = distinct !DILexicalBlock(scope: !47, file: !3, line: 23, column: 5)
!67 = !DILocation(line: 23, column: 17, scope: !65)
!68 = !DILocation(line: 23, column: 5, scope: !65)
!69 = !DILocation(line: 24, column: 18, scope: !47)
!70 = !DILocation(line: 24, column: 5, scope: !47)
!71 = !DILocation(line: 25, column: 1, scope: !47)
!72 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 9, type: !73, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !50)
!73 = !DISubroutineType(types: !74)
!74 = !{!75, !75}
!75 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!76 = !DILocalVariable(name: "unused", arg: 1, scope: !72, file: !3, line: 9, type: !75)
!77 = !DILocation(line: 9, column: 27, scope: !72)
!78 = !DILocation(line: 10, column: 5, scope: !72)
!79 = !DILocation(line: 10, column: 13, scope: !72)
!80 = !DILocation(line: 10, column: 12, scope: !72)
!81 = distinct !{!81, !78, !82, !63}
!82 = !DILocation(line: 11, column: 9, scope: !72)
!83 = !DILocation(line: 12, column: 10, scope: !72)
!84 = !DILocation(line: 13, column: 5, scope: !72)
!85 = !DILocation(line: 14, column: 12, scope: !72)
!86 = !DILocation(line: 14, column: 5, scope: !72)
