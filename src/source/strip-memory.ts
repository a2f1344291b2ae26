/** What the stripper's WebAssembly shows of itself. */
export interface StripperParts {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Moves the pointer of its own stack by so many bytes, and returns where it is then. */
  __wbindgen_add_to_stack_pointer(bytes: number): number;
}

/**
 * Keeps the memory of an unused stripper, half a MiB, and returns what puts it back. A stripper that was torn out of its
 * work (its stack or ours was full, or it panicked) never gives its stack back: the next text that is nested at all, or
 * every one, would fail. What its memory has grown by is lost until the process ends: mostly 0.3 MB or less.
 */
export function keepMemory(parts: StripperParts): () => void {
  const stack = parts.__wbindgen_add_to_stack_pointer(0);
  // Below is the stack, and nothing of it is in use.
  const kept = parts.memory.buffer.slice(stack);
  return () => {
    new Uint8Array(parts.memory.buffer).set(new Uint8Array(kept), stack);
    parts.__wbindgen_add_to_stack_pointer(stack - parts.__wbindgen_add_to_stack_pointer(0));
  };
}
