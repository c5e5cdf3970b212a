/** Numbers as reports write them, the same in every locale. */
export function scoreText(score: number | undefined): string {
  return score === undefined ? '–' : score.toFixed(3);
}

/** With its sign, also for nothing: '+0.000'. */
export function differenceText(difference: number): string {
  return `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`;
}

export function timeText(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Costs are often far below a cent. */
export function costText(cost: number): string {
  return cost === 0 ? '0' : cost.toFixed(cost < 0.01 ? 6 : 4);
}

export function countText(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ' ');
}
