/** Why a session ended, by the code of the API, where its owner should know. */
export const endedReasons: Readonly<Record<string, string>> = {
  COOKIE_REUSED:
    'Your session was ended because its cookie was used in two places: someone may have copied it. If that was not you, tell an administrator.',
  COOKIE_NOT_REPLACED:
    'Your session was ended because its cookie was not replaced although a new one was sent. If your browser blocks cookies, allow them for this site.',
  RECORD_SET_BACK: 'Your session was ended because the database was restored to an earlier state.',
  ENDED_BY_ADMINISTRATOR: 'An administrator ended your session.',
}
