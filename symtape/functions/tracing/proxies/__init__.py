"""What stands for arrays, lists and objects while a function is traced."""
