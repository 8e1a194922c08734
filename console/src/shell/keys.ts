/** Where `g` and a key lead. Those that a person may not open are not offered to them. */
export const goKeys = [
  { key: 'h', to: '/', label: 'Home' },
  { key: 'd', to: '/decide', label: 'Inbox' },
  { key: 'q', to: '/request', label: 'Request access' },
  { key: 'u', to: '/users', label: 'Users' },
  { key: 'a', to: '/apps', label: 'Apps' },
  { key: 'e', to: '/entitlements', label: 'Entitlements' },
  { key: 'g', to: '/grants', label: 'Grants' },
  { key: 'c', to: '/accounts', label: 'Accounts' },
  { key: 'r', to: '/rules', label: 'Rules' },
  { key: 't', to: '/tasks', label: 'All tasks' },
  { key: 'l', to: '/log', label: 'System log' },
  { key: 's', to: '/settings', label: 'Settings' },
] as const

type Key = { keys: readonly string[]; about: string }

export const everywhereKeys = (mod: string): readonly Key[] => [
  { keys: [`${mod} K`], about: 'Search pages, actions, people, apps and entitlements' },
  { keys: ['/'], about: 'Go to the search field' },
  { keys: ['?'], about: 'Show these shortcuts' },
]

export const listKeys: readonly Key[] = [
  { keys: ['j'], about: 'Next row' },
  { keys: ['k'], about: 'Previous row' },
  { keys: ['x'], about: 'Select or unselect the row' },
  { keys: ['Enter'], about: 'Open the row' },
]

export const decideKeys: readonly Key[] = [
  { keys: ['a'], about: 'Approve the selected requests, or this one' },
  { keys: ['d'], about: 'Deny the selected requests, or this one' },
  { keys: ['*'], about: 'Select or unselect all on this page' },
  { keys: ['Esc'], about: 'Clear the selection' },
]
