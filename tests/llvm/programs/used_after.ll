target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @main() !dbg !9 {
  %1 = alloca i64, align 8
    #dbg_declare(ptr %1, !14, !DIExpression(), !18)
  %2 = call i32 @pthread_create(ptr noundef %1, ptr noundef null, ptr noundef @worker, ptr noundef null), !dbg !19
  %3 = load i64, ptr %1, align 8, !dbg !20
  %4 = call i32 @pthread_join(i64 noundef %3, ptr noundef null), !dbg !21
  ret i32 0, !dbg !22
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef)

define internal ptr @worker(ptr noundef %0) !dbg !23 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !27, !DIExpression(), !28)
    #dbg_declare(ptr %3, !29, !DIExpression(), !31)
  %4 = call noalias ptr @malloc(i64 noundef 4), !dbg !32
  store ptr %4, ptr %3, align 8, !dbg !31
  %5 = load ptr, ptr %3, align 8, !dbg !33
  store i32 1, ptr %5, align 4, !dbg !34
  %6 = load ptr, ptr %3, align 8, !dbg !35
  call void @free(ptr noundef %6), !dbg !36
  %7 = load ptr, ptr %3, align 8, !dbg !37
  store i32 2, ptr %7, align 4, !dbg !38
  %8 = load ptr, ptr %2, align 8, !dbg !39
  ret ptr %8, !dbg !40
}

declare i32 @pthread_join(i64 noundef, ptr noundef)

declare noalias ptr @malloc(i64 noundef)

declare void @free(ptr noundef)


!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7}
!llvm.ident = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "used_after.c", directory: ".")
!2 = !{i32 7, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{!"clang version 22.1.8"}
!9 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 12, type: !10, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !13)
!10 = !DISubroutineType(types: !11)
!11 = !{!12}
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = !{}
!14 = !DILocalVariable(name: "thread", scope: !9, file: !1, line: 13, type: !15)
!15 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !16, line: 27, baseType: !17)
!16 = !DIFile(filename: "/usr/lib/libc/include/generic-glibc/bits/pthreadtypes.h", directory: "")
!17 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!18 = !DILocation(line: 13, column: 15, scope: !9)
!19 = !DILocation(line: 14, column: 5, scope: !9)
!20 = !DILocation(line: 15, column: 18, scope: !9)
!21 = !DILocation(line: 15, column: 5, scope: !9)
!22 = !DILocation(line: 16, column: 1, scope: !9)
!23 = distinct !DISubprogram(name: "worker", scope: !1, file: !1, line: 4, type: !24, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !0, retainedNodes: !13)
!24 = !DISubroutineType(types: !25)
!25 = !{!26, !26}
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!27 = !DILocalVariable(name: "unused", arg: 1, scope: !23, file: !1, line: 4, type: !26)
!28 = !DILocation(line: 4, column: 27, scope: !23)
!29 = !DILocalVariable(name: "own", scope: !23, file: !1, line: 5, type: !30)
!30 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64)
!31 = !DILocation(line: 5, column: 10, scope: !23)
!32 = !DILocation(line: 5, column: 16, scope: !23)
!33 = !DILocation(line: 6, column: 6, scope: !23)
!34 = !DILocation(line: 6, column: 10, scope: !23)
!35 = !DILocation(line: 7, column: 10, scope: !23)
!36 = !DILocation(line: 7, column: 5, scope: !23)
!37 = !DILocation(line: 8, column: 6, scope: !23)
!38 = !DILocation(line: 8, column: 10, scope: !23)
!39 = !DILocation(line: 9, column: 12, scope: !23)
!40 = !DILocation(line: 9, column: 5, scope: !23)
