import type { DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import type { ProviderKind } from '../../../src/vocabulary/provider-kinds/kind.ts';
import type { ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import type { DestinationWords } from '../../src/text/kinds.ts';
import type { Translation } from '../../src/text/translated.ts';

const SIGN_IN_NEEDED = 'Anmeldung nötig';
const GRANTED = 'Erteilt';
const BALANCES_TABLE = 'In einer eigenen Tabelle, mit einer Zeile pro Konto.';

export const DESTINATION_WORDS: Readonly<Record<DestinationType, DestinationWords>> = {
  sheets: {
    name: 'Google Sheets',
    target: 'Eine Tabelle',
    for: 'Eine Tabelle zum Sortieren, Auswerten und Teilen. Auch für Positionen und Trades und für die Tabellen von Tiller.',
    needs: 'Ein Google-Konto. Sie melden sich bei Google an; Tributary sieht Ihr Passwort nie.',
    sends:
      'Eine Zeile pro Umsatz: Datum, Betrag, Beschreibung, Kategorie, Kontoname. Auf Wunsch auch Kontostände.',
    asks: 'Nur Tabellen zu sehen und zu bearbeiten, die es anlegt oder die Sie damit öffnen. Keine andere Datei in Ihrem Drive.',
    stays: 'Die Tabelle und ihre Zeilen bleiben in Ihrem Drive. Die Erlaubnis wird bei Google widerrufen.',
    ends: 'Die Erlaubnis für Tributary wird bei Google widerrufen.',
    makes: 'Tributary legt sie in Ihrem Google Drive an, mit den nötigen Spalten.',
    balances: 'In einem eigenen Tabellenblatt, mit einer Zeile pro Konto.',
  },
  notion: {
    name: 'Notion',
    target: 'Eine Notion-Datenbank',
    for: 'Eine Notion-Datenbank mit einer Seite pro Umsatz, die Sie mit Ihren anderen Notizen verknüpfen können.',
    needs:
      'Einen Notion-Arbeitsbereich. Wählen Sie auf der Seite von Notion die Seite aus, auf der die Datenbank ist oder sein soll.',
    sends: 'Eine Seite pro Umsatz: Datum, Betrag, Beschreibung, Kategorie, Kontoname.',
    asks: 'Die Seiten, die Sie auswählen, und alles darauf zu lesen und zu bearbeiten.',
    stays: 'Die Datenbank und ihre Seiten bleiben. Die Erlaubnis wird bei Notion widerrufen.',
    ends: 'Die Erlaubnis für Tributary wird bei Notion widerrufen.',
    makes: 'Tributary legt sie auf der ältesten freigegebenen Seite an, mit den nötigen Eigenschaften.',
    balances: null,
  },
  airtable: {
    name: 'Airtable',
    target: 'Eine Airtable-Tabelle',
    for: 'Eine Tabelle in Airtable zum Gruppieren, Filtern und Weiterverwenden.',
    needs:
      'Eine eigene Base, in der Sie Tabellen anlegen dürfen. Ein kostenloser Tarif erlaubt 1.000 Aufrufe im Monat; ein erster Sync mit 10.000 Zeilen braucht sie auf.',
    sends: 'Ein Datensatz pro Umsatz: Datum, Betrag, Beschreibung, Kategorie, Kontoname.',
    asks: 'In den Bases, die Sie auswählen, Datensätze und Felder zu lesen und zu bearbeiten.',
    stays:
      'Die Tabelle und ihre Datensätze bleiben. Auch die Erlaubnis bleibt: Entfernen Sie sie in den Einstellungen Ihres Airtable-Kontos.',
    ends: 'Tributary vergisst die Erlaubnis. Bei Airtable lässt sie sich von hier aus nicht beenden: Entfernen Sie sie in den Einstellungen Ihres Airtable-Kontos.',
    makes: 'Tributary legt sie in einer Ihrer Bases an, mit den nötigen Feldern.',
    balances: 'In einer eigenen Tabelle, mit einem Datensatz pro Konto.',
  },
  ynab: {
    name: 'YNAB',
    target: 'Ein YNAB-Budget',
    for: 'Umsätze in Ihrem YNAB-Plan, bereit zum Genehmigen.',
    needs: 'Ein YNAB-Abonnement mit einem Plan und darin ein Konto für jedes Bankkonto.',
    sends:
      'Datum, Zahlungsempfänger, Notiz, Betrag und Kategorie jedes Umsatzes. Jeder kommt ungenehmigt an.',
    asks: 'Ihre Pläne zu lesen und ihnen Umsätze hinzuzufügen.',
    stays:
      'Die Umsätze bleiben in Ihrem Plan. Tributary vergisst die Erlaubnis; um sie bei YNAB zu beenden, entfernen Sie sie in den Einstellungen Ihres YNAB-Kontos.',
    ends: 'Tributary vergisst die Erlaubnis. Um sie bei YNAB zu beenden, entfernen Sie sie in den Einstellungen Ihres YNAB-Kontos.',
    makes: '',
    balances: null,
  },
  actual: {
    name: 'Actual Budget',
    target: 'Ein Actual-Budget',
    for: 'Umsätze in einem Budget auf Ihrem eigenen Actual-Server.',
    needs: 'Die Adresse Ihres Sync-Servers mit Passwort und im Budget ein Konto für jedes Bankkonto.',
    sends: 'Datum, Zahlungsempfänger, Notizen, Betrag und Kategorie jedes Umsatzes.',
    asks: 'Budgets auf diesem Server zu lesen und zu ändern, wie ein weiterer Client.',
    stays: 'Die Umsätze bleiben in Ihrem Budget. Das verschlüsselt gespeicherte Passwort wird hier entfernt.',
    ends: 'Das verschlüsselt gespeicherte Passwort wird entfernt.',
    makes: '',
    balances: null,
  },
  postgres: {
    name: 'Postgres',
    target: 'Eine Postgres-Tabelle',
    for: 'Eine Tabelle in Ihrer eigenen Datenbank, mit genauen Beträgen, für Abfragen und Dashboards.',
    needs:
      'Postgres 13 oder neuer, aus dem Internet erreichbar, und einen Datenbankbenutzer nur für Tributary.',
    sends: 'Eine Zeile pro Umsatz, Position oder Trade, mit allen Standardspalten.',
    asks: 'Was Sie dem Datenbankbenutzer erlauben: in einem Schema Tabellen anzulegen und zu füllen.',
    stays:
      'Tabellen und Zeilen bleiben. Löschen Sie den Datenbankbenutzer, um seinen Zugriff zu beenden; die verschlüsselt gespeicherten Zugangsdaten werden hier entfernt.',
    ends: 'Die verschlüsselt gespeicherten Zugangsdaten werden entfernt. Löschen Sie den Datenbankbenutzer, um seinen Zugriff auch dort zu beenden.',
    makes: 'Tributary legt sie mit Spalten und Indizes an, dazu eine Ansicht mit Monatssummen.',
    balances: BALANCES_TABLE,
  },
  csv_folder: {
    name: 'CSV-Dateien',
    target: 'Ein Ordner mit CSV-Dateien',
    for: 'CSV-Dateien auf dem Rechner, auf dem Tributary läuft, eine pro Konto und Monat.',
    needs: 'Der Betreiber legt den Ordner fest.',
    sends: 'Eine Zeile pro Umsatz oder Trade: Datum, Betrag, Beschreibung, Kategorie, Kontoname.',
    asks: 'Dateien in einem eigenen Ordner anlegen und ändern.',
    stays: 'Die Dateien bleiben in ihrem Ordner.',
    ends: 'Sonst endet nichts: Die Dateien bleiben.',
    makes: 'Tributary legt ihn in Ihrem Ordner an.',
    balances: null,
  },
  webhook: {
    name: 'Webhook',
    target: 'Eine eigene Adresse',
    for: 'Signiertes JSON an einen eigenen Server, für Entwickler.',
    needs: 'Eine https-Adresse, die POST-Anfragen beantwortet und ihre Signatur prüft.',
    sends: 'Ereignisse mit je bis zu 500 Zeilen: alle Felder eines Umsatzes oder Trades.',
    asks: 'Nichts: Tributary sendet seine Anfragen an Ihren eigenen Server.',
    stays: 'Was Ihr Server gespeichert hat, bleibt dort. Der Signaturschlüssel wird ungültig.',
    ends: 'Der Signaturschlüssel wird ungültig, und das Protokoll der Zustellungen wird entfernt.',
    makes: '',
    balances: null,
  },
};

export const PROVIDER_WORDS: Readonly<Record<ProviderIdentifier, Translation<ProviderKind['texts']>>> = {
  au_banking: {
    name: 'Australische Bank',
    through: 'Open Banking in Australien (Fiskil)',
    institution: 'Bank',
    failures: {},
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal: 'Ihre Zustimmung bei der Bank wird widerrufen.',
  },
  nz_banking: {
    name: 'Neuseeländische Bank',
    through: 'Akahu',
    institution: 'Bank',
    failures: {
      consent_denied: 'Der Zugriff wurde bei Akahu abgelehnt. Es wurde nichts weitergegeben.',
      institution_error: 'Akahu hat einen eigenen Fehler gemeldet. Versuchen Sie es später erneut.',
      not_eligible:
        'Bei Akahu wurde kein Konto freigegeben, oder der Betreiber hat es nicht für dieses Tributary-Konto geöffnet.',
    },
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal:
      'Der Zugriff bei Akahu endet; eine persönliche App des Betreibers behält ihren eigenen, bis er dort widerrufen wird.',
  },
  brokerage: {
    name: 'Broker',
    through: 'SnapTrade',
    institution: 'Broker',
    failures: {
      consent_denied: 'Der Zugriff wurde beim Broker abgelehnt. Es wurde nichts weitergegeben.',
      authentication_failed: 'Der Broker konnte Sie nicht anmelden. Es wurde nichts weitergegeben.',
      institution_error: 'Der Broker war nicht erreichbar. Versuchen Sie es später erneut.',
      not_eligible:
        'Der Broker bietet das für Ihre Depots nicht an, oder Sie haben sich dort mit einem anderen Konto angemeldet.',
    },
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal: 'Die Verbindung bei SnapTrade wird gelöscht.',
  },
  enable_banking: {
    name: 'Europäische Bank',
    through: 'Enable Banking',
    institution: 'Bank',
    failures: {
      consent_denied: 'Der Zugriff wurde bei der Bank abgelehnt. Es wurde nichts weitergegeben.',
      institution_error:
        'Die Bank oder Enable Banking hat einen eigenen Fehler gemeldet. Versuchen Sie es später erneut.',
      not_eligible:
        'Es wurde kein Konto freigegeben. Bei eingeschränkter Nutzung gibt Enable Banking nur Konten frei, die der Betreiber im Control Panel mit der Anwendung verknüpft hat.',
    },
    invalidated: SIGN_IN_NEEDED,
    granted: GRANTED,
    withdrawal: 'Die Sitzung bei Enable Banking und damit Ihre Zustimmung bei der Bank wird beendet.',
  },
  up_bank: {
    name: 'Up',
    through: 'Eigene API von Up',
    institution: 'Bank',
    failures: {
      authentication_failed: 'Up akzeptiert das Token nicht. Der Betreiber muss ein neues einrichten.',
      not_eligible:
        'Das Token gehört jemand anderem als die Verbindung, oder der Betreiber hat es nicht für dieses Tributary-Konto geöffnet.',
    },
    invalidated: 'Neues Token nötig',
    granted: 'Zuerst gelesen',
    withdrawal: 'Up wird nicht mehr gelesen; das Token bleibt gültig, bis es bei Up widerrufen wird.',
  },
  simplefin: {
    name: 'SimpleFIN',
    through: 'SimpleFIN',
    institution: 'Bank',
    failures: {
      authentication_failed:
        'Der SimpleFIN-Server hat das Setup-Token abgelehnt: Es wurde schon verwendet oder ist unvollständig. Erstellen Sie ein neues, und löschen Sie dort das alte, falls Sie es nicht selbst verwendet haben.',
      institution_error:
        'Der SimpleFIN-Server hat nicht geantwortet, wie er sollte. Das Setup-Token ist vielleicht verbraucht: Erstellen Sie ein neues.',
      not_eligible:
        'Das Setup-Token gibt kein Konto frei, das verknüpft werden kann. Verbinden Sie zuerst eine Bank bei SimpleFIN, und erstellen Sie dann ein neues Token.',
    },
    invalidated: 'Neues Token oder Anmeldung bei SimpleFIN nötig',
    granted: 'Zuerst gelesen',
    withdrawal: 'SimpleFIN wird nicht mehr gelesen; der Zugang bleibt gültig, bis er dort deaktiviert wird.',
  },
  statement_files: {
    name: 'Kontoauszüge als Datei',
    through: 'Dateien, die Sie hochladen',
    institution: 'Bank',
    failures: {},
    invalidated: 'Gelöscht',
    granted: 'Erste Datei',
    withdrawal: 'Die Dateien und alle daraus übernommenen Buchungen werden gelöscht.',
  },
};
