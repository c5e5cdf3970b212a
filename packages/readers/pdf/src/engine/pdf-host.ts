/** Where a file is read: this thread, or one that is there for it. */
export interface PdfHost {
  /** Ends a wait that would never end by itself: by the caller's signal, or when nothing is left that could end it. */
  wait<T>(work: Promise<T>): Promise<T>;
  /** The reading comes to this page. */
  begins(page: number): void;
  /** Whether a limit of memory was hit since it was asked last. */
  wasTooLarge(): boolean;
}
