"""H7: word vectors of the archive itself, an option; the same archive has the same neighbours."""

import random

import pytest

from fakes.pairs import document
from vestigia.domain.effects import Expand
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import digest
from vestigia.index import wordvectors
from vestigia.index.build import IndexWriter
from vestigia.index.durable import only_writer
from vestigia.index.snapshot import Snapshot
from vestigia.index.wordvectors import open_vectors, sweep_vocabulary, train

CORPUS = digest("catalogue")


def texts():
    """Sentences in which ships and mills keep to company of their own."""
    dice = random.Random(7)
    ships, mills = ("vaisseau", "navire", "voile", "rade", "ancre"), ("moulin", "farine", "meule", "meunier", "grain")
    return [" ".join(dice.choices(dice.choice((ships, mills)), k=12)) for _ in range(400)]


def written(folder, corpus=CORPUS, sentences=None):
    with IndexWriter(folder) as writer:
        for number, text in enumerate(sentences or texts()):
            writer.add(document(f"d{number:03}", text, language="fr"))
        writer.commit(1, corpus)
    return folder


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    pytest.importorskip("fasttext")
    index = written(tmp_path_factory.mktemp("index"))
    return index, train(index, texts())


def test_what_was_trained_says_by_what_and_on_how_much(trained):
    _, about = trained
    assert (about.corpus, about.words, about.occurrences, about.rounds) == (CORPUS, 10, 4800, 20)
    assert about.trainer.startswith("fasttext-community ")


def test_words_used_alike_are_near_and_the_word_itself_is_not_named(trained):
    near = open_vectors(trained[0], CORPUS).neighbours("navire", 4)
    assert sorted(word for word, _ in near) == ["ancre", "rade", "vaisseau", "voile"]
    assert [cosine for _, cosine in near] == sorted((cosine for _, cosine in near), reverse=True)


def test_a_word_that_is_not_in_the_archive_has_a_vector_of_its_parts(trained):
    near = open_vectors(trained[0], CORPUS).neighbours("meuniere", 3)
    assert near[0][0] == "meunier"


def test_training_again_gives_the_same_vectors_and_the_same_fingerprint(trained, tmp_path):
    index, about = trained
    again = train(written(tmp_path), texts())
    assert again == about
    one, other = open_vectors(index, CORPUS), open_vectors(tmp_path, CORPUS)
    assert one.fingerprint == other.fingerprint
    assert one.neighbours("moulin", 9) == other.neighbours("moulin", 9)


def test_a_snapshot_names_neighbours_by_vectors_beside_those_by_spelling(trained):
    near = Snapshot.open(trained[0]).vocabulary.neighbours("meuniers", 2)
    assert ("meunier", "spelling") in [(n.found, n.by) for n in near]
    assert {n.by for n in near} == {"spelling", "vectors"}


def test_an_expansion_is_by_vectors_where_there_are_any(trained):
    near = Snapshot.open(trained[0]).expand(Expand("le navire", ("fr",), 2)).neighbours
    assert {n.by for n in near} == {"vectors"}
    assert all(n.passages > 0 for n in near)


def test_vectors_are_part_of_what_a_run_says_it_searched(trained, tmp_path):
    assert Snapshot.open(trained[0]).fingerprint != Snapshot.open(written(tmp_path)).fingerprint


def test_vectors_of_another_state_of_the_archive_are_not_used(trained):
    assert open_vectors(trained[0], digest("changed since")) is None


@pytest.mark.parametrize("corpus", [CORPUS, digest("changed since")])
def test_a_deletion_leaves_no_vectors_of_what_was(tmp_path, corpus):
    pytest.importorskip("fasttext")
    train(written(tmp_path), texts())
    sweep_vocabulary(tmp_path, corpus)
    left = [path for path in (tmp_path / "vocabulary").iterdir() if path.is_dir()]
    assert len(left) == (corpus == CORPUS)
    assert (open_vectors(tmp_path, CORPUS) is not None) == (corpus == CORPUS)


def test_there_is_nothing_to_sweep_where_nothing_was_trained(tmp_path):
    sweep_vocabulary(tmp_path, CORPUS)
    assert list(tmp_path.iterdir()) == []


def test_training_for_a_new_state_takes_the_old_one_away(tmp_path):
    pytest.importorskip("fasttext")
    train(written(tmp_path), texts())
    with IndexWriter(tmp_path) as writer:
        writer.add(document("more", "un moulin", language="fr"))
        writer.commit(2, digest("more"))
    train(tmp_path, texts())
    assert open_vectors(tmp_path, CORPUS) is None
    assert open_vectors(tmp_path, digest("more")) is not None


def test_too_little_to_train_on_is_told_and_leaves_no_text_behind(tmp_path):
    pytest.importorskip("fasttext")
    with pytest.raises(UsageError, match="too little to train on"):
        train(written(tmp_path), ["un deux trois"])
    assert open_vectors(tmp_path, CORPUS) is None
    assert not list((tmp_path / "vocabulary").glob("*.unfinished"))


def test_a_damaged_file_is_told(tmp_path):
    pytest.importorskip("fasttext")
    train(written(tmp_path), texts())
    (model,) = (tmp_path / "vocabulary").glob("*/model.bin")
    model.write_bytes(b"nothing of the kind")
    with pytest.raises(ArchiveError, match="cannot be read"):
        open_vectors(tmp_path, CORPUS).neighbours("moulin", 3)


def test_two_programs_do_not_train_at_once(tmp_path):
    pytest.importorskip("fasttext")
    written(tmp_path)
    with only_writer(tmp_path / "vocabulary", "training"), pytest.raises(ArchiveError, match="another program"):
        train(tmp_path, texts())


def test_without_the_extra_training_says_how_to_install_it_and_spelling_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(wordvectors, "can_train", lambda: False)
    index = written(tmp_path)
    with pytest.raises(UsageError, match=r"vestigia\[vocabulary\]"):
        train(index, texts())
    near = Snapshot.open(index).vocabulary.neighbours("meuniers", 2)
    assert [(n.found, n.by) for n in near] == [("meunier", "spelling")]
