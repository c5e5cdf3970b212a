/** Two short files, and what is asked of them. */
export const handbook = {
  'handbook/leave.md': '# Leave\n\nEvery employee has 31 days of paid leave a year.\n',
  'handbook/lunch.md': '# Lunch\n\nLunch is served at noon in the canteen.\n',
};

export const questions = [
  {
    id: 'leave',
    question: 'How many days of paid leave does an employee have?',
    reference: '31 days',
    relevant: ['handbook/leave.md'],
  },
  {
    id: 'lunch',
    question: 'When is lunch served?',
    reference: 'noon',
    relevant: { 'handbook/lunch.md': 2, 'handbook/leave.md': 0 },
  },
];

export function jsonLines(entries: readonly unknown[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
