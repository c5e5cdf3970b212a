/** Statements that the transaction has run when the process dies. */
export const KILLED_AFTER = 1_500;
