import type { SuiteReport } from '@vernal/testing';

export const MADE: RegExp;
export function supportTable(reports: readonly SuiteReport[]): string;
export function setUpTable(reports: readonly SuiteReport[], className: string): string;
export function memoryTable(reports: readonly SuiteReport[]): string;
