target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@weight = global float 5.000000e-01, align 4, !dbg !0
@count = global i32 0, align 4, !dbg !33
@.str = private unnamed_addr constant [11 x i8] c"count == 1\00", align 1, !dbg !16
@.str.1 = private unnamed_addr constant [7 x i8] c"real.c\00", align 1, !dbg !22
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !27

define i32 @main() !dbg !46 {
  %1 = alloca i64, align 8
    #dbg_declare(ptr %1, !50, !DIExpression(), !54)
  store float 1.500000e+00, ptr @weight, align 4, !dbg !55
  %2 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !56
  %3 = load i64, ptr %1, align 8, !dbg !57
  %4 = call i32 @pthread_join(i64 noundef %3, ptr noundef null), !dbg !58
  %5 = load atomic i32, ptr @count seq_cst, align 4, !dbg !59
  %6 = icmp eq i32 %5, 1, !dbg !62
  br i1 %6, label %7, label %8, !dbg !62

7:                                                ; preds = %0
  br label %9, !dbg !62

8:                                                ; preds = %0
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 19, ptr noundef @__PRETTY_FUNCTION__.main), !dbg !63
  unreachable, !dbg !63

9:                                                ; preds = %7
  ret i32 0, !dbg !64
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !65 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !69, !DIExpression(), !70)
  store i32 1, ptr %3, align 4, !dbg !71
  %5 = load i32, ptr %3, align 4, !dbg !71
  %6 = atomicrmw add ptr @count, i32 %5 monotonic, align 4, !dbg !71
  store i32 %6, ptr %4, align 4, !dbg !71
  %7 = load i32, ptr %4, align 4, !dbg !71
  %8 = load ptr, ptr %2, align 8, !dbg !72
  ret ptr %8, !dbg !73
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!39, !40, !41, !42, !43, !44}
!llvm.ident = !{!45}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "weight", scope: !2, file: !3, line: 6, type: !38, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "real.c", directory: ".")
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
!15 = !{!0, !16, !22, !27, !33}
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !3, line: 19, type: !18, isLocal: true, isDefinition: true)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 88, elements: !20)
!19 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!20 = !{!21}
!21 = !DISubrange(count: 11)
!22 = !DIGlobalVariableExpression(var: !23, expr: !DIExpression())
!23 = distinct !DIGlobalVariable(scope: null, file: !3, line: 19, type: !24, isLocal: true, isDefinition: true)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 56, elements: !25)
!25 = !{!26}
!26 = !DISubrange(count: 7)
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(scope: null, file: !3, line: 19, type: !29, isLocal: true, isDefinition: true)
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 120, elements: !31)
!30 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!31 = !{!32}
!32 = !DISubrange(count: 15)
!33 = !DIGlobalVariableExpression(var: !34, expr: !DIExpression())
!34 = distinct !DIGlobalVariable(name: "count", scope: !2, file: !3, line: 7, type: !35, isLocal: false, isDefinition: true)
!35 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !36)
!36 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !37)
!37 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!38 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!39 = !{i32 7, !"Dwarf Version", i32 4}
!40 = !{i32 2, !"Debug Info Version", i32 3}
!41 = !{i32 1, !"wchar_size", i32 4}
!42 = !{i32 8, !"PIC Level", i32 2}
!43 = !{i32 7, !"uwtable", i32 2}
!44 = !{i32 7, !"frame-pointer", i32 2}
!45 = !{!"clang version 22.1.8"}
!46 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 14, type: !47, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !49)
!47 = !DISubroutineType(types: !48)
!48 = !{!37}
!49 = !{}
!50 = !DILocalVariable(name: "thread", scope: !46, file: !3, line: 15, type: !51)
!51 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !52, line: 27, baseType: !53)
!52 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!53 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!54 = !DILocation(line: 15, column: 15, scope: !46)
!55 = !DILocation(line: 16, column: 12, scope: !46)
!56 = !DILocation(line: 17, column: 5, scope: !46)
!57 = !DILocation(line: 18, column: 18, scope: !46)
!58 = !DILocation(line: 18, column: 5, scope: !46)
!59 = !DILocation(line: 19, column: 12, scope: !60)
!60 = distinct !DILexicalBlock(scope: !61, file: !3, line: 19, column: 12)
!61 = distinct !DILexicalBlock(scope: !46, file: !3, line: 19, column: 5)
!62 = !DILocation(line: 19, column: 18, scope: !60)
!63 = !DILocation(line: 19, column: 5, scope: !60)
!64 = !DILocation(line: 20, column: 1, scope: !46)
!65 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 9, type: !66, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !49)
!66 = !DISubroutineType(types: !67)
!67 = !{!68, !68}
!68 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!69 = !DILocalVariable(name: "unused", arg: 1, scope: !65, file: !3, line: 9, type: !68)
!70 = !DILocation(line: 9, column: 27, scope: !65)
!71 = !DILocation(line: 10, column: 5, scope: !65)
!72 = !DILocation(line: 11, column: 12, scope: !65)
!73 = !DILocation(line: 11, column: 5, scope: !65)
