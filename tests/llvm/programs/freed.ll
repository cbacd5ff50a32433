target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.pair = type { i32, i32 }

@pair = global ptr null, align 8, !dbg !0

define i32 @main() !dbg !31 {
  %1 = alloca i64, align 8
  %2 = alloca i64, align 8
    #dbg_declare(ptr %1, !35, !DIExpression(), !39)
    #dbg_declare(ptr %2, !40, !DIExpression(), !41)
  %3 = call noalias ptr @malloc(i64 noundef 8), !dbg !42
  store ptr %3, ptr @pair, align 8, !dbg !43
  %4 = load ptr, ptr @pair, align 8, !dbg !44
  %5 = getelementptr inbounds nuw %struct.pair, ptr %4, i32 0, i32 1, !dbg !45
  store atomic i32 0, ptr %5 seq_cst, align 4, !dbg !46
  %6 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !47
  %7 = call i32 @pthread_create(ptr noundef %2, ptr noundef null, ptr noundef @owner, ptr noundef null), !dbg !48
  %8 = load i64, ptr %1, align 8, !dbg !49
  %9 = call i32 @pthread_join(i64 noundef %8, ptr noundef null), !dbg !50
  %10 = load i64, ptr %2, align 8, !dbg !51
  %11 = call i32 @pthread_join(i64 noundef %10, ptr noundef null), !dbg !52
  ret i32 0, !dbg !53
}

declare noalias ptr @malloc(i64 noundef)

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !54 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !58, !DIExpression(), !59)
  %5 = load ptr, ptr @pair, align 8, !dbg !60
  %6 = getelementptr inbounds nuw %struct.pair, ptr %5, i32 0, i32 1, !dbg !61
  store i32 1, ptr %3, align 4, !dbg !62
  %7 = load i32, ptr %3, align 4, !dbg !62
  %8 = atomicrmw add ptr %6, i32 %7 monotonic, align 4, !dbg !62
  store i32 %8, ptr %4, align 4, !dbg !62
  %9 = load i32, ptr %4, align 4, !dbg !62
  %10 = load ptr, ptr %2, align 8, !dbg !63
  ret ptr %10, !dbg !64
}

define internal ptr @owner(ptr noundef %0) !dbg !65 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !66, !DIExpression(), !67)
  %3 = load ptr, ptr @pair, align 8, !dbg !68
  call void @free(ptr noundef %3), !dbg !69
  %4 = load ptr, ptr %2, align 8, !dbg !70
  ret ptr %4, !dbg !71
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare void @free(ptr noundef)


!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!24, !25, !26, !27, !28, !29}
!llvm.ident = !{!30}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "pair", scope: !2, file: !3, line: 9, type: !16, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, globals: !15, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "freed.c", directory: ".")
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
!15 = !{!0}
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!17 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "pair", file: !3, line: 6, size: 64, elements: !18)
!18 = !{!19, !21}
!19 = !DIDerivedType(tag: DW_TAG_member, name: "unused", scope: !17, file: !3, line: 7, baseType: !20, size: 32)
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!21 = !DIDerivedType(tag: DW_TAG_member, name: "used", scope: !17, file: !3, line: 8, baseType: !22, size: 32, offset: 32)
!22 = !DIDerivedType(tag: DW_TAG_typedef, name: "atomic_int", file: !6, line: 104, baseType: !23)
!23 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !20)
!24 = !{i32 7, !"Dwarf Version", i32 4}
!25 = !{i32 2, !"Debug Info Version", i32 3}
!26 = !{i32 1, !"wchar_size", i32 4}
!27 = !{i32 8, !"PIC Level", i32 2}
!28 = !{i32 7, !"uwtable", i32 2}
!29 = !{i32 7, !"frame-pointer", i32 2}
!30 = !{!"clang version 22.1.8"}
!31 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 21, type: !32, scopeLine: 21, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !34)
!32 = !DISubroutineType(types: !33)
!33 = !{!20}
!34 = !{}
!35 = !DILocalVariable(name: "one", scope: !31, file: !3, line: 22, type: !36)
!36 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !37, line: 27, baseType: !38)
!37 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!38 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!39 = !DILocation(line: 22, column: 15, scope: !31)
!40 = !DILocalVariable(name: "two", scope: !31, file: !3, line: 22, type: !36)
!41 = !DILocation(line: 22, column: 20, scope: !31)
!42 = !DILocation(line: 23, column: 12, scope: !31)
!43 = !DILocation(line: 23, column: 10, scope: !31)
!44 = !DILocation(line: 24, column: 5, scope: !31)
!45 = !DILocation(line: 24, column: 11, scope: !31)
!46 = !DILocation(line: 24, column: 16, scope: !31)
!47 = !DILocation(line: 25, column: 5, scope: !31)
!48 = !DILocation(line: 26, column: 5, scope: !31)
!49 = !DILocation(line: 27, column: 18, scope: !31)
!50 = !DILocation(line: 27, column: 5, scope: !31)
!51 = !DILocation(line: 28, column: 18, scope: !31)
!52 = !DILocation(line: 28, column: 5, scope: !31)
!53 = !DILocation(line: 29, column: 1, scope: !31)
!54 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 11, type: !55, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !34)
!55 = !DISubroutineType(types: !56)
!56 = !{!57, !57}
!57 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!58 = !DILocalVariable(name: "unused", arg: 1, scope: !54, file: !3, line: 11, type: !57)
!59 = !DILocation(line: 11, column: 27, scope: !54)
!60 = !DILocation(line: 12, column: 32, scope: !54)
!61 = !DILocation(line: 12, column: 38, scope: !54)
!62 = !DILocation(line: 12, column: 5, scope: !54)
!63 = !DILocation(line: 13, column: 12, scope: !54)
!64 = !DILocation(line: 13, column: 5, scope: !54)
!65 = distinct !DISubprogram(name: "owner", scope: !3, file: !3, line: 16, type: !55, scopeLine: 16, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !34)
!66 = !DILocalVariable(name: "unused", arg: 1, scope: !65, file: !3, line: 16, type: !57)
!67 = !DILocation(line: 16, column: 26, scope: !65)
!68 = !DILocation(line: 17, column: 10, scope: !65)
!69 = !DILocation(line: 17, column: 5, scope: !65)
!70 = !DILocation(line: 18, column: 12, scope: !65)
!71 = !DILocation(line: 18, column: 5, scope: !65)
