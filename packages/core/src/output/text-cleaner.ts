export type TextCleaner = (text: string) => string;

export declare const defaultCleaners: readonly TextCleaner[];
