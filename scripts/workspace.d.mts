export interface WorkspacePackage {
  /** Absolute. */
  readonly path: string;
  /** Relative to the top of the repository. */
  readonly folder: string;
  readonly name: string;
  readonly manifest: {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
}
/** Every package that is published, by name. */
export function publicPackages(): WorkspacePackage[];
/** Every file below a folder, without what is installed or built. */
export function files(folder: string): Generator<string>;
