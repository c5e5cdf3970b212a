export declare function scaffoldVectorStore(root: string, name: string, className?: string): string[];
