/** Why a session ended, by the code of the API, where its owner should know. */
export const endedReasons: Readonly<Record<string, string>> = {
  COOKIE_REUSED:
    'Your session was ended because its cookie was used in two places: someone may have copied it. If this was not you, contact an administrator.',
  COOKIE_NOT_REPLACED:
    'Your session was ended because your browser did not store a new cookie. If it blocks cookies, allow them for this site.',
  RECORD_SET_BACK: 'Your session was ended because the database was restored to an earlier state.',
  ENDED_BY_ADMINISTRATOR: 'An administrator ended your session.',
}
