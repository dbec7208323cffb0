/**
 * Who this window is for the operator process: the token it was opened with and the secret of its session. Both are of
 * this window alone and outlive a reload of it.
 */

const TOKEN = 'coact.token';
const SESSION = 'coact.session';

/** The code with which a socket is closed whose session goes on in another window. */
export const TAKEN_UP = 4001;

/**
 * Takes the token out of the address: what stands there is seen by whoever looks over one's shoulder, kept in the history
 * and copied with the address.
 */
export function takeTokenFromAddress(place: Location = location): void {
  const url = new URL(place.href);
  const hash = new URLSearchParams(url.hash.slice(1));
  const token = url.searchParams.get('token') ?? hash.get('token');
  if (token === null) return;
  sessionStorage.setItem(TOKEN, token);
  url.searchParams.delete('token');
  hash.delete('token');
  url.hash = hash.toString();
  history.replaceState(history.state, '', url.href);
}

export const token = (): string | undefined => sessionStorage.getItem(TOKEN) ?? undefined;

export const session = (): string | undefined => sessionStorage.getItem(SESSION) ?? undefined;

export const keepSession = (secret: string): void => sessionStorage.setItem(SESSION, secret);

const NAME = 'coact.name';

/** As somebody gave it in this browser once, or as the address has it. */
export const ownName = (place: Location = location): string | undefined =>
  new URLSearchParams(place.search).get('name') ?? localStorage.getItem(NAME) ?? undefined;

export function keepName(name: string): void {
  localStorage.setItem(NAME, name);
}

const TEAM_ROLE = 'coact.team_role';

/** What whoever sits here does in the team; none: nothing that is asked for. */
export const ownTeamRole = (): string | undefined => localStorage.getItem(TEAM_ROLE)?.trim() || undefined;

export function keepTeamRole(role: string): void {
  localStorage.setItem(TEAM_ROLE, role);
}

/** A token says who somebody is; else the page asks, once. */
export const mustAskName = (): boolean => token() === undefined && !ownName()?.trim();

/** A window that was doubled has the secret of the first: the one that lost it begins a session of its own. */
export const forgetSession = (): void => sessionStorage.removeItem(SESSION);
