export declare function bundleProgram(source: string): Promise<string>;
