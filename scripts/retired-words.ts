/** A phrase that people no longer read, and what they read instead. docs/glossary.md has the same list in words. */
export type Retired = { words: RegExp; instead: string }

/** They are looked for in whole sentences, without regard to case; `{}` stands for what a template puts in. */
export const retired: readonly Retired[] = [
  { words: /\bfor good\b/i, instead: 'never expires, no expiry' },
  { words: /\b(?:by|started by|given by) hand\b/i, instead: 'manual, manually' },
  { words: /\b(?:take|takes|taken|taking|took)(?: it| them)? away\b/i, instead: 'remove, revoke' },
  { words: /\b(?:take|takes|taken|took) (?:\S+ )?off the\b/i, instead: 'remove from the' },
  { words: /\b(?:take|takes|taken|took) (?:it )?back\b/i, instead: 'revoke' },
  { words: /\b(?:give|gives|given|gave) (?:it |them )?back\b/i, instead: 'return, grant again' },
  { words: /\b(?:given|gives it|gave it) (?:by|to)\b/i, instead: 'granted by, granted to' },
  { words: /\b(?:gives|gave) (?:and takes|nor takes|or takes)\b/i, instead: 'grants and revokes' },
  {
    words: /\b(?:gain|gains|gained|lose|loses|lost|got) it\b(?! (?:again|in|at|on|to)\b)/i,
    instead: 'added, removed, unchanged',
  },
  { words: /\bleft alone\b|\bleaves? (?:them|it|these) alone\b/i, instead: 'excluded, unchanged' },
  { words: /\bcease(?:s|d)?\b/i, instead: 'removed, ended' },
  { words: /\b(?:rule|run|connector|job) (?:then )?rests\b/i, instead: 'paused' },
  { words: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { words: /\bsaid at the fields?\b/i, instead: 'fix the highlighted field' },
  { words: /\b(?:says?|said) (?:true|false|nothing|otherwise)\b/i, instead: 'returns true, is not set' },
  { words: /\bnothing (?:here )?fits\b|\ball that fits?\b/i, instead: 'no results, all results' },
  { words: /\bwhat can it ask\b/i, instead: 'examples and available fields' },
  { words: /\bis, is found\b/i, instead: 'match … by' },
  { words: /^(?:make (?!sure|a change)|made (?!up\b))/i, instead: 'create, created' },
  { words: /\btell this\b/i, instead: 'show this help' },
  { words: /\blets? (?:\S+ ){1,3}in no longer\b/i, instead: 'block' },
  { words: /(?<!\byou )\b(?:is|are|was|were|stays|be) away\b/i, instead: 'unavailable' },
  { words: /\bdatabase_here\b/, instead: 'database_up' },
  { words: /\bspeaks? (?:SCIM|SAML|OIDC|LDAP)\b/, instead: 'supports' },
  { words: /\bnobody known\b/i, instead: 'none, unknown' },
  { words: /\bwhoever runs the server\b/i, instead: 'the operator of the server' },
  { words: /\bon the record\b/i, instead: 'the history is kept' },
  { words: /\bread over\b/i, instead: 'ignored' },
  { words: /\bof before\b/i, instead: 'before' },
  { words: /\bwhom to show\b|\bthe way up\b/i, instead: 'people to show, breadcrumb' },
  {
    words:
      /\b(?:one|objects?|requests?|rows|records|events|files?|bytes|[0-9]+|\{\}) an? (?:line|page|second|minute|hour|day|week|month|year|server|tenant)\b|\bonce an? (?:server|tenant|person|entitlement|folder)\b/i,
    instead: 'per, as in one object per line',
  },
  { words: /\ba rule an entitlement\b/i, instead: 'one rule per entitlement' },
]
