# Configuration of bean-extract (Beancount 2) for a CSV export of Tributary (docs/exports.md) without pending rows.
# Set the account and its currency.
from beancount.ingest.importers import csv
from beancount.ingest.importers.csv import Col

CONFIG = [
    csv.Importer(
        {
            Col.DATE: "Date",
            Col.PAYEE: "Merchant",
            Col.NARRATION: "Description",
            Col.AMOUNT: "Amount",
            Col.REFERENCE_ID: "Transaction ID",
        },
        "Assets:Everyday",
        "AUD",
        regexps=["^Transaction ID,Date,"],
    ),
]
