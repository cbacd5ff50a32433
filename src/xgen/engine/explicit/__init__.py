"""Explicit states behind bounded store buffers: systems of processes in, fair cycles out.

states         the search for accepted runs
unfold         XCFA programs as steps with at most one access each; unfold_blocks: their atomic blocks
"""
