/** What is dragged into a plot: the name of a channel. */
export const DRAGGED = 'application/x-coact-channel';
