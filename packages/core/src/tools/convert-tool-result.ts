/** The default result conversion, for those who write `ToolCallback`s. */
export declare function convertToolResult(result: unknown): string;
