/** The version of this program, that of package.json (CHANGELOG.md). */
export const SOFTWARE_VERSION = '1.0.0';
