import { useEffect, useReducer } from 'preact/hooks';

/** Calls its listeners with each change. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    notify: (): void => listeners.forEach((listener) => listener()),
    /** Returns a function that removes the listener. */
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type Shown<Item> = ReturnType<typeof createShown<Item>>;

/** What the visible parts of a page show: each adds its items and removes them when it goes. */
export function createShown<Item>() {
  const { notify, onChange } = createListeners();
  const items: Item[] = [];
  return {
    notify,
    onChange,
    list: (): readonly Item[] => items,
    /** Returns a function that removes the item. */
    add: (item: Item) => {
      items.push(item);
      notify();
      return () => {
        items.splice(items.indexOf(item), 1);
        notify();
      };
    },
  };
}

/** Returns a function that renders the component again. */
export function useRedraw(): () => void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  return () => redraw(undefined);
}

/** Renders again after each change. */
export function useChanges<Changing extends { onChange: (listener: () => void) => () => void }>(
  changing: Changing,
): Changing {
  const redraw = useRedraw();
  useEffect(() => changing.onChange(redraw), [changing]);
  return changing;
}
