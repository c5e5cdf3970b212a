/** Keeps what a suite found, in the folder that VERNAL_REPORTS names. */
export declare function keepReport(report: object & { readonly suite: string; readonly subject: string }): void;
