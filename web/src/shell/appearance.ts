import { useUi, type Ui } from '../state/ui';

function apply({ theme, textSize }: Ui): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.style.setProperty('--text', `${textSize}px`);
}

/** Before anything is drawn, and before whoever reads colours from the styles is told of a change. */
export function keepAppearance(): void {
  apply(useUi.getState());
  useUi.subscribe(apply);
}
