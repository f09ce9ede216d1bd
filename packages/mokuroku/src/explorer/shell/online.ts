import { useEffect } from 'preact/hooks';

/**
 * Calls with each event of the browser that says that a network is back: a reason to retry, and no more. Whether the
 * service is reachable is what the last request says (`isUnreachable` of the call log), because the browser's own
 * `navigator.onLine` knows nothing of a service on this machine or in a local network. The first listener stays, so it
 * must read current state from references.
 */
export function useOnlineEvent(onOnline: () => void): void {
  useEffect(() => {
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
}
