/**
 * Keeps a start after a crash short.
 * Before PostgreSQL recovers, it syncs its files to the disk. By default it opens each of them, some 2,000, and has the
 * disk flush its cache each time: 5 s of the 6 s that a recovery took while other processes wrote to the same disk, of
 * which the redo was 0.05 s. `syncfs` does it for the whole file system at once. Linux has reported errors of that
 * since 5.8.
 * What was written since the last checkpoint but one is redone, and written to the files before any connection is
 * accepted; a shutdown writes it too. With the usual 5 minutes between checkpoints that is five times as much as with
 * one.
 */
export function recoverySettings(platform: NodeJS.Platform, kernel: string): Record<string, string> {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10))
  const reportsErrors = major > 5 || (major === 5 && minor >= 8)
  return {
    checkpoint_timeout: '1min',
    ...(platform === 'linux' && reportsErrors && { recovery_init_sync_method: 'syncfs' }),
  }
}
