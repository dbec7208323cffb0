import { useEffect, useRef, useState, type ReactNode } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { aligned, plotName, sampled } from '../../state/plots';
import { hoverTime, pinTime } from '../../state/run';
import { useUi } from '../../state/ui';
import { useWorld } from '../../state/world';

const COLOURS = ['#4fb0d4', '#e2b04a', '#58c089', '#f07178', '#b795e8', '#e58fb8'];

/** Any variable over the time of the run. */
export function PlotsPanel(): ReactNode {
  const variables = useWorld((world) => world.variables);
  const [chosen, setChosen] = useState<string[]>([]);
  const names = [...variables.values()].filter((one) => typeof one.value === 'number' || typeof one.value === 'boolean').map(plotName);
  const free = names.filter((name) => !chosen.includes(name));
  return (
    <>
      <div className="log-tools">
        <select aria-label="Add a variable to the plot" value="" onChange={(event) => setChosen([...chosen, event.target.value])}>
          <option value="">Add a variable…</option>
          {free.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        {chosen.map((name, index) => (
          <button key={name} type="button" className="link" style={{ color: COLOURS[index % COLOURS.length] }} title="Take it out" onClick={() => setChosen(chosen.filter((other) => other !== name))}>
            {name} ×
          </button>
        ))}
      </div>
      {chosen.length > 0 ? <Plot key={chosen.join(' ')} names={chosen} /> : <p className="dim pad">Choose a variable to see it over time.</p>}
    </>
  );
}

const cursorOf = (plot: uPlot): number | null => (plot.cursor.left !== undefined && plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, 'x') : null);

function Plot({ names }: { names: string[] }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const theme = useUi((ui) => ui.theme);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const style = getComputedStyle(document.documentElement);
    const axis = { stroke: style.getPropertyValue('--dim'), grid: { stroke: style.getPropertyValue('--line'), width: 1 }, ticks: { show: false } };
    const plot = new uPlot(
      {
        width: element.clientWidth || 300,
        height: element.clientHeight || 120,
        scales: { x: { time: false } },
        axes: [axis, axis],
        legend: { show: false },
        series: [{}, ...names.map((label, index) => ({ label, stroke: COLOURS[index % COLOURS.length] ?? '#fff', width: 1.5, spanGaps: true }))],
        hooks: { setCursor: [(self: uPlot) => hoverTime(cursorOf(self))] },
      },
      aligned(names) as uPlot.AlignedData,
      element,
    );
    plot.over.addEventListener('click', () => {
      const atS = cursorOf(plot);
      if (atS !== null) pinTime(atS);
    });
    let dirty = false;
    const forget = sampled.listen(() => (dirty = true));
    const timer = setInterval(() => {
      if (!dirty || element.offsetParent === null) return;
      dirty = false;
      plot.setData(aligned(names) as uPlot.AlignedData);
    }, 100);
    const size = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: element.clientHeight }));
    size.observe(element);
    return () => {
      forget();
      clearInterval(timer);
      size.disconnect();
      plot.destroy();
    };
  }, [names, theme]);
  return <div ref={box} className="plot" role="img" aria-label={`Plot of ${names.join(', ')}`} />;
}
