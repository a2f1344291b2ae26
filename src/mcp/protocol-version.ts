/** The versions of MCP this client knows, the newest first, which is the one it offers. */
export const knownVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;
