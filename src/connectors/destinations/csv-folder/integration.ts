import { requiredFolder } from '../../../platform/integration-settings.ts';
import type { DestinationIntegration } from '../destination-integration.ts';

const ROOT = requiredFolder(
  'CSV_FOLDER_ROOT',
  'An existing folder in which each account record gets a folder of its own for CSV files. Without it, the type `csv_folder` is not offered.',
);

/** CSV files on this machine, below one folder that the operator chooses. */
export const CSV_FOLDER: DestinationIntegration = {
  kind: 'destination',
  name: 'csv_folder',
  variables: [ROOT],
  open: async (values, { clock }) => {
    const { csvFolderConnector } = await import('./connector.ts');
    return csvFolderConnector({ root: values.get(ROOT), clock });
  },
};
